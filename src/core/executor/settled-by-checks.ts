/**
 * @file Decides whether checks have settled the answer of a step, so that the step need not be called: each check that the step
 * sees found the answer right, and no answer that it sees differs. The caller compares answers, so that the training, which knows
 * the answers of its puzzles, does without the graders.
 *
 * A check settles only as far as the run trusts it (`CheckTrust`). Of several checks, one trusted check is enough, because the
 * others agree with it. Without a record of the run's trust, or if too little is known about the checker, the check settles.
 */
import { ANSWERING, roleOf } from '../analysis/roles';
import { isKnownChecker, precisionOf } from '../analysis/statistics/check-trust';
import type { CheckTrust, PoolWorker, Settlement, Step, StepVerdict } from '../contract';

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

/** The indexes of the answers that a check sees. Empty if the step is no check. @param steps all steps of the workflow */
export function checkedAnswers(steps: readonly Step[], index: number): number[] {
  const step = steps[index];
  if (!step || roleOf(steps, index) !== 'verify') return [];
  return step.access.filter((seen) => ANSWERING.has(roleOf(steps, seen)));
}

/** Whether two outputs state the same final answer. Any other value than `true`: not, or they can't be compared. */
type Comparison = (one: string, other: string) => boolean | null;

/**
 * The answer that the checks which a step sees have settled. All steps that it sees have ended.
 * @param trusting how far the run trusts its checks, and its workers
 * @returns `null` if the step must be called
 */
export function settledByChecks(
  seen: readonly SeenStep[],
  index: number,
  isSame: Comparison,
  trusting: Trusting = { pool: [] },
): Settlement | null {
  const steps = seen.map(({ step }) => step);
  const { access = [] } = steps[index] ?? {};
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
  if (settled.length === 0 && !checks.some((check) => isTrusted(seen, check, from, trusting))) return null;
  const isAgreed = [...answers].every((at) => at === from || isSame(answer, seen[at]?.output ?? '') === true);
  return isAgreed ? { from, evidence } : null;
}

/** How far a run trusts its checks. */
export interface Trusting {
  /** Absent: without limits. */
  readonly trust?: CheckTrust | undefined;
  readonly pool: readonly PoolWorker[];
}

/** Whether the run trusts a check that found an answer right. */
function isTrusted(seen: readonly SeenStep[], check: number, answer: number, { trust, pool }: Trusting): boolean {
  if (!trust) return true;
  if (trust.goesOn) return false;
  const idOf = (at: number) => pool[seen[at]?.step.worker ?? -1]?.id ?? '';
  const rates = trust.checkers[idOf(check)];
  if (!rates || !isKnownChecker(rates)) return true;
  return precisionOf(rates, trust.solvers[idOf(answer)]).low > trust.bound;
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
