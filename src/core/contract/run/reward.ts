/**
 * @file The reward of a run (arXiv 2512.04388, section 3.1). It is 0 if the Conductor wrote no valid
 * workflow, 0.5 for a valid workflow with a wrong answer, and 1 for a correct answer. Validity and
 * correctness are reported separately, because more valid workflows raise the mean reward even if the number
 * of correct answers stays the same.
 */
import type { Plan, Run } from './state';

export type Reward = 0 | 0.5 | 1;

/**
 * γ, the weight of the second round. The reward of the first round is (1 − γ) · r₀ + γ · r₁, where r₀ is the
 * first round's own reward, and r₁ is the reward of the second round. The value of γ is from the paper (arXiv
 * 2512.04388, appendix A.1). The formula is from the code published with the paper. The text of the paper
 * describes another formula: the first reward is scaled by γ, and rewards are normalized.
 */
export const ROUND_DISCOUNT = 0.25;

/** The format, the correctness and the reward of a run. A field is `null` if it is unknown. */
export interface Judgement {
  /**
   * Whether the Conductor's first answer was a valid workflow. If one of several candidate plans was chosen, the
   * format counts as valid. `null`: the plan was written by hand, or the Conductor gave no answer.
   */
  readonly format: boolean | null;
  readonly correct: boolean | null;
  readonly reward: Reward | null;
}

/**
 * Judges a run by the plan of its first round and by its grade. If the Conductor's first answer was invalid, the format is
 * invalid, even if a later plan was valid. If a built-in Conductor planned because the chosen Conductor gave no answer, there is
 * no reward. If the user ended the run early, there is none either, because the grade is not about the whole plan.
 */
export function judgeRun(run: Run): Judgement {
  const plan = run.rounds[0]?.plan ?? null;
  const format = plan ? formatOf(plan) : null;
  const correct = run.grade?.correct ?? null;
  const isFallbackPlan = format === null && plan?.source === 'fallback';
  return { format, correct, reward: isFallbackPlan || run.early ? null : rewardOf(format, correct) };
}

/**
 * The reward of a run. `null`: the plan counts as valid, but there is no grade.
 * @param format whether the plan is valid. `null`: unknown, which counts as valid, because the plan ran
 */
export function rewardOf(format: boolean | null, correct: boolean | null): Reward | null {
  if (format === false) return 0;
  return correct === null ? null : correct ? 1 : 0.5;
}

/** See `format` in `Judgement`. */
export function formatOf(plan: Plan): boolean | null {
  const read = plan.chosen === null ? firstAnswerOf(plan) : 'parsed';
  return read === null ? null : read === 'parsed';
}

/** The result of the Conductor's first answer. A call that ended in a fault, such as a rate limit, gave no answer. */
export function firstAnswerOf({ candidates, retries, status, source, problem }: Plan): 'parsed' | 'refused' | null {
  const candidate = candidates.find((each) => each.workflow ?? each.problem);
  if (candidate) return candidate.workflow ? 'parsed' : 'refused';
  if (retries.some((retry) => retry.problem)) return 'refused';
  if (status === 'finished' && source === 'conductor') return 'parsed';
  return problem ? 'refused' : null;
}
