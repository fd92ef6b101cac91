/**
 * @file What a worker makes of the answers in view: which there are, what others say of them, and what it believes of each
 * after its own look. Its look is the real check, which it misreads now and then.
 */
import { mixSeed, seededRandom, type Role } from '../contract';
import type { PosedPuzzle } from '../tasks';
import type { Assignment, EarlierStep } from './assignment';
import { skillOf, type SimulatedProfile } from './profiles';
import { solve } from './solving';
import { keptSteps, saysUnsure } from './writing';

/** An answer in view. */
export interface Candidate {
  readonly step: number;
  /** Earlier steps whose answer it says it keeps, in view or not. */
  readonly kept: readonly number[];
  readonly answer: string;
  /** Its own author is not sure of it. */
  readonly unsure: boolean;
}

/** A check's word on an earlier step. */
export interface Finding {
  readonly by: number;
  readonly about: number;
  readonly right: boolean;
}

/** What a worker takes an answer for after its own look. */
export interface Judgement {
  readonly right: boolean;
  /** What it says is wrong; empty for what it takes as right, and where it only believes so. */
  readonly reason: string;
}

const ANSWERING: readonly Role[] = ['solve', 'refine', 'aggregate', 'decide'];

/** The steps in view that were to give an answer. */
export function answeringSteps({ earlier }: Assignment): EarlierStep[] {
  return earlier.filter((step) => ANSWERING.includes(step.role));
}

/** Every answer in view, in the order of the steps. */
export function candidatesOf(assignment: Assignment, puzzle: PosedPuzzle): Candidate[] {
  return answeringSteps(assignment).flatMap(({ number, response }) => {
    const answer = puzzle.readAnswer(response);
    return answer === null ? [] : [{ step: number, kept: keptSteps(response), answer, unsure: saysUnsure(response) }];
  });
}

/** What the checks in view say: sentences such as "Step 2: wrong". */
export function findingsOf({ earlier }: Assignment): Finding[] {
  return earlier
    .filter((step) => step.role === 'verify')
    .flatMap(({ number, response }) =>
      [...response.slice(0, 8_000).matchAll(SENTENCE)].map(([, about = '', word = '']) => ({
        by: number,
        about: Number(about),
        right: !/^(?:wrong|incorrect|not|fails|invalid|false)/i.test(word),
      })),
    );
}

const SENTENCE =
  /\b(?:step|response|answer|result|solution|subtask)\s{0,2}#?(\d{1,3})\b[^.\n]{0,80}?\b(wrong|incorrect|not (?:right|correct|valid)|fails|invalid|false|right|correct|valid|holds)\b/gi;

/**
 * How a worker looks at answers to a puzzle. The same worker judges the same answer the same way every time, and it is
 * slow to see what is wrong with what it would have answered itself.
 * @param accuracy chance that it sees what is the case
 */
export function judgeOf(
  profile: SimulatedProfile,
  puzzle: PosedPuzzle,
  accuracy: number,
): (answer: string) => Judgement {
  return (answer) => {
    const { correct, detail } = puzzle.check(answer);
    const random = seededRandom(mixSeed(profile.id, puzzle.key, answer, 'judge'));
    const chance = correct ? (1 + accuracy) / 2 : accuracy * (ownAnswer(profile, puzzle) === answer ? OWN_MISTAKE : 1);
    if (random() < chance) return { right: correct, reason: correct ? '' : detail };
    return { right: !correct, reason: '' };
  };
}

/** Found once for each puzzle at hand: whoever plays one puzzle many times asks for it each time. */
const ownAnswers = new WeakMap<PosedPuzzle, Map<SimulatedProfile, string | null>>();

/** What the worker is most used to answering. */
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

/** How much of its accuracy a worker keeps on a mistake that is its own. */
const OWN_MISTAKE = 0.5;

/** Accuracy of a look in passing, as against a check that is the whole subtask. */
export function passingAccuracy(profile: SimulatedProfile, role: Role, puzzle: PosedPuzzle): number {
  return 0.5 + 0.4 * skillOf(profile, role, puzzle.family);
}

/** How much a worker believes in an answer, as log odds: its own look, what checks say, who agrees, how sure the author is. */
export interface Belief {
  readonly candidate: Candidate;
  readonly odds: number;
  /** Steps that came to the same answer. */
  readonly agreeing: readonly number[];
  readonly findings: readonly Finding[];
}

const FINDING_WEIGHT = 2.2;
const AGREEMENT_WEIGHT = 0.8;
const UNSURE_WEIGHT = 1.2;

/** Weighs every answer in view, the most believed first; of equals the later one. */
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
    const heard = findings.filter(({ about }) => same.some(({ step, kept }) => step === about || kept.includes(about)));
    const said = Math.sign(heard.reduce((sum, finding) => sum + (finding.right ? 1 : -1), 0));
    const looks = judge(candidate.answer).right ? weight : -weight;
    const unsure = same.every((each) => each.unsure) ? UNSURE_WEIGHT : 0;
    const odds = looks + said * FINDING_WEIGHT + (agreeing.length - 1) * AGREEMENT_WEIGHT - unsure;
    return { candidate, odds, agreeing, findings: heard };
  });
  return beliefs.sort((one, other) => other.odds - one.odds || other.candidate.step - one.candidate.step);
}
