/**
 * @file Statistics of the runs of an evaluation: numbers of steps (Figure 8 of arXiv 2512.04388), each worker's share of the
 * steps (Figures 7 and 10), and rewards.
 */
import { rewardOf, type GradingProfile, type Outcome } from '../../contract';
import { isCorrect, meanOf } from './score';

/** Groups outcomes by the index of their dataset in the batch. A dataset without outcomes has an empty group. */
export function byDataset(outcomes: readonly Outcome[], datasets: number): readonly (readonly Outcome[])[] {
  return grouped(outcomes, datasets, ({ dataset }) => dataset);
}

/** Groups outcomes by the index of their method in the batch. A method without outcomes has an empty group. */
export function byMethod(outcomes: readonly Outcome[], methods: number): readonly (readonly Outcome[])[] {
  return grouped(outcomes, methods, ({ method }) => method);
}

function grouped(outcomes: readonly Outcome[], groups: number, indexOf: (outcome: Outcome) => number) {
  const found = Array.from({ length: groups }, (): Outcome[] => []);
  for (const outcome of outcomes) found[indexOf(outcome)]?.push(outcome);
  return found;
}

export interface StepCounts {
  readonly mean: number;
  /** The entry at index n is the number of runs with n steps. */
  readonly counts: readonly number[];
  readonly runs: number;
}

/** Counts the steps of each run. Runs without steps are left out. `null`: no run has steps. */
export function stepCounts(outcomes: readonly Outcome[]): StepCounts | null {
  const lengths = outcomes.map(({ steps }) => steps.length).filter((length) => length > 0);
  const mean = meanOf(lengths);
  if (mean === null) return null;
  const counts = Array.from({ length: lengths.reduce((most, length) => Math.max(most, length), 0) + 1 }, () => 0);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  return { mean, counts, runs: lengths.length };
}

export interface WorkerShare {
  readonly workerId: string;
  readonly steps: number;
  /** Share of all steps, from 0 to 1. */
  readonly share: number;
}

/** The share of the steps that each worker got, largest first. Empty: there are no steps. */
export function workerShares(outcomes: readonly Outcome[]): readonly WorkerShare[] {
  const counts = new Map<string, number>();
  let all = 0;
  for (const { steps } of outcomes) {
    for (const { workerId } of steps) {
      counts.set(workerId, (counts.get(workerId) ?? 0) + 1);
      all += 1;
    }
  }
  return [...counts]
    .map(([workerId, steps]) => ({ workerId, steps, share: steps / all }))
    .toSorted((one, other) => other.steps - one.steps || (one.workerId < other.workerId ? -1 : 1));
}

/** The number of outcomes for each reward. */
export interface RewardHistogram {
  /** Outcomes with an invalid plan, whose reward is 0. */
  readonly invalid: number;
  /** Outcomes with a valid plan and a wrong answer, whose reward is 0.5. */
  readonly wrong: number;
  /** Outcomes with a valid plan and a correct answer, whose reward is 1. */
  readonly correct: number;
  /** Outcomes without a reward, such as outcomes that were not graded. */
  readonly none: number;
}

export function rewardHistogram(outcomes: readonly Outcome[], profile: GradingProfile): RewardHistogram {
  const counts = { invalid: 0, wrong: 0, correct: 0, none: 0 };
  for (const outcome of outcomes) {
    const reward = outcome.status === 'graded' ? rewardOf(outcome.format, isCorrect(outcome, profile)) : null;
    counts[reward === null ? 'none' : reward === 0 ? 'invalid' : reward === 1 ? 'correct' : 'wrong'] += 1;
  }
  return counts;
}
