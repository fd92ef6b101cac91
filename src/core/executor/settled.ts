/**
 * @file Decides whether the answer of a step is settled, so that the step need not be called: each check that the step sees found
 * the answer right, and no answer that it sees differs. Or, in a run that counts votes, one answer is the most frequent. Loaded late, because it needs the rules for roles and for comparing answers.
 */
import { roleOf } from '../analysis';
import type { Role, Settlement, Step, StepVerdict } from '../contract';
import { countVotes } from '../graders/count-votes';
import { sameAnswers } from '../graders/same-answers';

export { readVerdicts, verdictRequest } from '../contract';

/** What is known about a step of the current round. */
export interface SeenStep {
  readonly step: Step;
  /** `null`: the step has no output. */
  readonly output: string | null;
  /** The verdicts of a check. Absent: none. */
  readonly verdicts?: readonly StepVerdict[] | undefined;
  /** Absent: the step was called. */
  readonly settled?: Settlement | undefined;
}

const ANSWERING: ReadonlySet<Role> = new Set(['solve', 'refine', 'aggregate', 'decide']);

/** The indexes of the answers that a check sees. Empty if the step is no check. @param steps all steps of the workflow */
export function checkedAnswers(steps: readonly Step[], index: number): number[] {
  const step = steps[index];
  if (!step || roleOf(steps, index) !== 'verify') return [];
  return step.access.filter((seen) => ANSWERING.has(roleOf(steps, seen)));
}

/**
 * The settled answer of a step that has not been called. All steps that it sees have ended.
 * @returns `null` if the step must be called
 */
export function settledAnswer(seen: readonly SeenStep[], index: number): Settlement | null {
  const steps = seen.map(({ step }) => step);
  const access = steps[index]?.access ?? [];
  if (access.some((at) => (seen[at]?.output ?? null) === null)) return null;
  const checks = access.filter((at) => !seen[at]?.settled && roleOf(steps, at) === 'verify');
  const verdicts = checks.map((at) => verdictsOf(seen, at));
  if (verdicts.some((each) => each === null)) return null;
  const right = new Set(verdicts.flatMap((each) => each ?? []));
  const answers = new Set([...right, ...access.flatMap((at) => givenAnswer(seen, steps, at))]);
  const settled = access.flatMap((at) => seen[at]?.settled ?? []);
  const evidence = [...new Set([...checks, ...settled.flatMap((each) => each.evidence)])].sort((one, two) => one - two);
  const from = Math.max(...right, ...settled.map((each) => each.from));
  const answer = seen[from]?.output ?? null;
  if (evidence.length === 0 || answer === null) return null;
  const isAgreed = [...answers].every((at) => at === from || sameAnswers(answer, seen[at]?.output ?? '') === true);
  return isAgreed ? { from, evidence } : null;
}

/** What is known about a step whose answer may be a vote. */
export interface VotingStep extends Pick<SeenStep, 'step' | 'output'> {
  readonly ended: boolean;
}

/**
 * The answer of a step that decides between independent attempts, if it follows from counting equal answers. Failed attempts have no
 * vote. @returns `null` if the step must be called, or waits for attempts
 */
export function countedAnswer(seen: readonly VotingStep[], index: number): Settlement | null {
  const steps = seen.map(({ step }) => step);
  const access = steps[index]?.access ?? [];
  if (access.length === 0 || roleOf(steps, index) !== 'decide') return null;
  if (!access.every((at) => seen[at]?.ended === true && steps[at]?.access.length === 0)) return null;
  const answers = access.flatMap((at) => {
    const text = seen[at]?.output ?? null;
    return text === null ? [] : [{ at, text }];
  });
  const vote = countVotes(answers.map(({ text }) => text));
  const from = vote ? answers[vote.from]?.at : undefined;
  return vote && from !== undefined ? { from, evidence: vote.same.flatMap((place) => answers[place]?.at ?? []) } : null;
}

/** The answers that a check found right. `null`: it found no answer, did not find all of them right, or judged its own worker's. */
function verdictsOf(seen: readonly SeenStep[], check: number): readonly number[] | null {
  const { verdicts = [], step } = seen[check] ?? {};
  if (verdicts.length === 0) return null;
  const isRight = ({ step: about, verdict }: StepVerdict) =>
    verdict === 'right' && seen[about]?.step.worker !== step?.worker;
  return verdicts.every(isRight) ? verdicts.map((verdict) => verdict.step) : null;
}

/** The step whose output a visible step gives as its answer. Empty for plans and checks. */
function givenAnswer(seen: readonly SeenStep[], steps: readonly Step[], at: number): readonly number[] {
  const settled = seen[at]?.settled;
  if (settled) return [settled.from];
  return ANSWERING.has(roleOf(steps, at)) ? [at] : [];
}
