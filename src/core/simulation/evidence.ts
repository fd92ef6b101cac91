/**
 * @file Determines how a simulated worker weighs the answers that it sees. The worker considers its own judgment, the findings of
 * checks, the agreement between answers, and the authors' doubts. Its own judgment is the result of an exact check with random
 * errors.
 */
import { mixSeed, seededRandom, type Role } from '../contract';
import type { PosedPuzzle } from '../tasks/posed';
import type { Assignment, EarlierStep } from './assignment';
import { skillOf, type SimulatedProfile } from './profiles';
import { solve } from './solving';
import { keptSteps, isUnsure } from './writing';

/** An answer that the worker sees. */
export interface Candidate {
  readonly step: number;
  /**
   * Numbers of the earlier steps whose answers this step keeps, as its response states. Some of these steps may be
   * hidden from the worker.
   */
  readonly kept: readonly number[];
  readonly answer: string;
  /** Whether the author expresses doubt. */
  readonly unsure: boolean;
}

/** What a `verify` step says about the answer of an earlier step. */
interface Finding {
  readonly by: number;
  readonly about: number;
  readonly right: boolean;
}

export interface Judgement {
  readonly right: boolean;
  /** The mistake that the worker found. Empty if the answer is judged right, or if a right answer is judged wrong. */
  readonly reason: string;
}

const ANSWERING_ROLES: readonly Role[] = ['solve', 'refine', 'aggregate', 'decide'];

/** The visible steps whose role is to give an answer. */
export function answeringSteps({ earlier }: Assignment): EarlierStep[] {
  return earlier.filter((step) => ANSWERING_ROLES.includes(step.role));
}

/** Every visible answer, in the order of the steps. */
export function candidatesOf(assignment: Assignment, puzzle: PosedPuzzle): Candidate[] {
  return answeringSteps(assignment).flatMap(({ number, response }) => {
    const answer = puzzle.readAnswer(response);
    return answer === null ? [] : [{ step: number, kept: keptSteps(response), answer, unsure: isUnsure(response) }];
  });
}

/** The findings in the visible `verify` steps, from sentences such as "Step 2: wrong". */
function findingsOf({ earlier }: Assignment): Finding[] {
  return earlier
    .filter((step) => step.role === 'verify')
    .flatMap(({ number, response }) =>
      [...response.slice(0, 8_000).matchAll(FINDING_PATTERN)].map(([, about = '', word = '']) => ({
        by: number,
        about: Number(about),
        right: !/^(?:wrong|incorrect|not|fails|invalid|false)/i.test(word),
      })),
    );
}

const FINDING_PATTERN =
  /\b(?:step|response|answer|result|solution|subtask)\s{0,2}#?(\d{1,3})\b[^.\n]{0,80}?\b(wrong|incorrect|not (?:right|correct|valid)|fails|invalid|false|right|correct|valid|holds)\b/gi;

/**
 * How a worker judges answers to a puzzle. The worker judges the same answer the same way every time. It often overlooks
 * a mistake that it would make itself.
 * @param accuracy probability that a wrong answer is judged wrong. If the worker would give the same wrong answer, the
 *   probability is multiplied by `OWN_MISTAKE_FACTOR`. A right answer is judged right with the probability
 *   (1 + accuracy) / 2
 */
export function judgeOf(
  profile: SimulatedProfile,
  puzzle: PosedPuzzle,
  accuracy: number,
): (answer: string) => Judgement {
  return (answer) => {
    const { correct, detail } = puzzle.check(answer);
    const random = seededRandom(mixSeed(profile.id, puzzle.key, answer, 'judge'));
    const chance = correct
      ? (1 + accuracy) / 2
      : accuracy * (ownAnswer(profile, puzzle) === answer ? OWN_MISTAKE_FACTOR : 1);
    if (random() < chance) return { right: correct, reason: correct ? '' : detail };
    return { right: !correct, reason: '' };
  };
}

/** The answers of `ownAnswer`, cached because training uses the same puzzle many times. */
const ownAnswers = new WeakMap<PosedPuzzle, Map<SimulatedProfile, string | null>>();

/** The worker's habitual answer to the puzzle, which does not depend on a step's seed. */
function ownAnswer(profile: SimulatedProfile, puzzle: PosedPuzzle): string | null {
  const known = ownAnswers.get(puzzle) ?? new Map<SimulatedProfile, string | null>();
  ownAnswers.set(puzzle, known);
  let answer = known.get(profile);
  if (answer === undefined) {
    answer = solve(profile, puzzle, { role: 'solve', seed: null }).answer;
    known.set(profile, answer);
  }
  return answer;
}

/** Factor on the accuracy if the worker itself would give the same wrong answer. */
const OWN_MISTAKE_FACTOR = 0.5;

/** The accuracy for `judgeOf` in all steps except `verify` steps. At the same skill, a `verify` step is more accurate. */
function passingAccuracy(profile: SimulatedProfile, role: Role, puzzle: PosedPuzzle): number {
  return 0.5 + 0.4 * skillOf(profile, role, puzzle.family);
}

/**
 * How much a worker believes in an answer. `logOdds` combines the worker's own judgment, the findings of checks, the agreement
 * between answers and the authors' doubts.
 */
export interface Belief {
  readonly candidate: Candidate;
  readonly logOdds: number;
  /** Numbers of the steps that give this answer. */
  readonly agreeing: readonly number[];
  readonly findings: readonly Finding[];
}

const FINDING_WEIGHT = 2.2;
const AGREEMENT_WEIGHT = 0.8;
const UNSURE_WEIGHT = 1.2;

/** Ranks the visible answers by belief, highest first. If two beliefs are equal, the answer of the later step comes first. */
export function weigh(profile: SimulatedProfile, puzzle: PosedPuzzle, assignment: Assignment): Belief[] {
  const candidates = candidatesOf(assignment, puzzle);
  const findings = findingsOf(assignment);
  const accuracy = passingAccuracy(profile, assignment.role, puzzle);
  const weight = Math.log(accuracy / (1 - accuracy));
  const judge = judgeOf(profile, puzzle, accuracy);
  const distinct = new Map(candidates.map((candidate) => [candidate.answer, candidate]));
  const beliefs = [...distinct.values()].map((candidate): Belief => {
    const same = candidates.filter((each) => each.answer === candidate.answer);
    const agreeing = same.map((each) => each.step);
    const relevant = findings.filter(({ about }) =>
      same.some(({ step, kept }) => step === about || kept.includes(about)),
    );
    const findingSign = Math.sign(relevant.reduce((sum, finding) => sum + (finding.right ? 1 : -1), 0));
    const ownLogOdds = judge(candidate.answer).right ? weight : -weight;
    const unsure = same.every((each) => each.unsure) ? UNSURE_WEIGHT : 0;
    const logOdds = ownLogOdds + findingSign * FINDING_WEIGHT + (agreeing.length - 1) * AGREEMENT_WEIGHT - unsure;
    return { candidate, logOdds, agreeing, findings: relevant };
  });
  return beliefs.sort((one, other) => other.logOdds - one.logOdds || other.candidate.step - one.candidate.step);
}
