/**
 * @file The reward of a run (arXiv 2512.04388, section 3.1): 0 if the Conductor wrote no valid workflow, 0.5 for a valid workflow
 * with a wrong answer, 1 for a right answer. Format and correctness are reported apart, because a rising mean of their sum may
 * come from format alone.
 */
import type { Plan, Run } from './state';
import type { PlanProblem } from '../workflow/workflow';

export type Reward = 0 | 0.5 | 1;

/**
 * γ, the share of the second round's reward in the first round's. The value is the paper's (arXiv 2512.04388, appendix A.1). The
 * formula (1 − γ) · r₀ + γ · r₁ is that of the code published with it; the paper scales the first reward by γ and normalises.
 */
export const ROUND_DISCOUNT = 0.25;

/** `null`: not known. */
export interface Judgement {
  /** Whether what the Conductor wrote first could be read as a valid workflow. `null` for plans by hand, and where no word came. */
  readonly format: boolean | null;
  readonly correct: boolean | null;
  readonly reward: Reward | null;
}

/**
 * Judges a run by the plan of its first round and by its grade. A plan that was mended by a stricter second try, or that the
 * built-in Conductor stood in for, counts as no plan; where the Conductor could not be reached there is nothing to reward.
 */
export function judgeRun(run: Run): Judgement {
  const plan = run.rounds[0]?.plan ?? null;
  const format = plan ? formatOf(plan) : null;
  const correct = run.grade?.correct ?? null;
  const isAnothers = format === null && plan?.source === 'fallback';
  return { format, correct, reward: isAnothers ? null : rewardOf(format, correct) };
}

/** @param format a plan of which this is not known counts as valid: it ran */
export function rewardOf(format: boolean | null, correct: boolean | null): Reward | null {
  if (format === false) return 0;
  return correct === null ? null : correct ? 1 : 0.5;
}

/** Whether a plan came of what its Conductor wrote first; `null` where it wrote nothing. */
export function formatOf(plan: Plan): boolean | null {
  const read = plan.chosen === null ? firstAnswerOf(plan) : 'parsed';
  return read === null ? null : read === 'parsed';
}

/** What came of the first thing that a Conductor wrote. A fault on the way to it says nothing of the format. */
export function firstAnswerOf({ candidates, retries, status, source, problem }: Plan): 'parsed' | 'refused' | null {
  const judge = (refusal: PlanProblem | null) => (refusal ? 'refused' : null);
  const [candidate] = candidates;
  if (candidate) return candidate.workflow ? 'parsed' : judge(candidate.problem);
  const [retry] = retries;
  if (retry) return judge(retry.problem);
  return status === 'finished' && source === 'conductor' ? 'parsed' : judge(problem);
}
