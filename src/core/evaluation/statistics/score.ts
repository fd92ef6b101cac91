/** @file Scores: the share of correct answers with its standard error. */
import type { GradingProfile, Outcome } from '../../contract';

/**
 * Whether an outcome is correct under a profile. `null`: the outcome has no verdict under this profile, so it counts neither as
 * correct nor as wrong.
 */
export function isCorrect({ status, verdicts }: Outcome, profile: GradingProfile): boolean | null {
  return status === 'graded' ? (verdicts[profile]?.correct ?? null) : null;
}

export interface Score {
  /**
   * Share of correct answers, from 0 to 1. If the batch repeats its tasks, this is the mean of the
   * shares of the repeats.
   */
  readonly mean: number;
  /** Standard error of the mean. `null`: there are fewer than two values to compute it from. */
  readonly error: number | null;
  /**
   * The values from which the standard error is computed. `repeats`: the scores of the repeats, as in arXiv 2512.04388.
   * `tasks`: the scores of the tasks, because there is only one repeat.
   */
  readonly errorOver: 'repeats' | 'tasks';
  /** Number of repeats with a graded outcome. */
  readonly repeats: number;
  /** Number of tasks with a graded outcome. */
  readonly tasks: number;
  /** Number of graded outcomes. */
  readonly graded: number;
}

/** The verdict on one answer to a task. */
export interface GradedAnswer {
  readonly taskId: string;
  readonly repeat: number;
  readonly correct: boolean;
}

/** The outcomes that have a verdict under the profile. */
export function gradedAnswers(outcomes: readonly Outcome[], profile: GradingProfile): readonly GradedAnswer[] {
  return outcomes.flatMap((outcome) => {
    const correct = isCorrect(outcome, profile);
    return correct === null ? [] : [{ taskId: outcome.taskId, repeat: outcome.repeat, correct }];
  });
}

/** The score of one method on one dataset. `null`: nothing is graded. */
export function scoreOf(answers: readonly GradedAnswer[]): Score | null {
  const byRepeat = new Map<number, { graded: number; correct: number }>();
  const tasks = new Set<string>();
  for (const { taskId, repeat, correct } of answers) {
    tasks.add(taskId);
    const sum = byRepeat.get(repeat) ?? { graded: 0, correct: 0 };
    sum.graded += 1;
    if (correct) sum.correct += 1;
    byRepeat.set(repeat, sum);
  }
  const graded = answers.length;
  const shares = [...byRepeat.values()].map((sum) => sum.correct / sum.graded);
  const counts = { repeats: shares.length, tasks: tasks.size, graded };
  const mean = meanOf(shares);
  if (mean === null) return null;
  if (shares.length > 1) return { mean, error: standardError(shares), errorOver: 'repeats', ...counts };
  // The sample variance of zeros and ones follows from their mean.
  const error = graded > 1 ? Math.sqrt((mean * (1 - mean)) / (graded - 1)) : null;
  return { mean, error, errorOver: 'tasks', ...counts };
}

/** Identifies a task within its batch. */
export function taskKey({ dataset, taskId }: Pick<Outcome, 'dataset' | 'taskId'>): string {
  return JSON.stringify([dataset, taskId]);
}

/** The mean of the values. `null`: there are no values. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard error of the mean, from the sample variance (n − 1). `null`: there are fewer than two values. */
export function standardError(values: readonly number[]): number | null {
  const mean = meanOf(values);
  if (mean === null || values.length < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
