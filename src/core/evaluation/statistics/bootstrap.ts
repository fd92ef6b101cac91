/** @file The paired bootstrap: the difference between the scores of two methods on the same tasks, with a confidence interval. */
import { seededRandom, type GradingProfile, type Outcome } from '../../contract';
import { isCorrect, taskKey } from './score';

/** Number of draws. Each draw resamples the tasks with replacement. */
export const BOOTSTRAP_DRAWS = 10_000;

export interface Difference {
  /** Mean difference of the scores, from −1 to 1. Positive: the first method is better. */
  readonly difference: number;
  /** The bounds of the 95 % interval: the 2.5 % and 97.5 % quantiles of the draws. */
  readonly low: number;
  readonly high: number;
  /** Share of the draws in which the first method is better, from 0 to 1. */
  readonly shareAbove: number;
  /** Number of tasks with a graded outcome for both methods. */
  readonly tasks: number;
}

/** Compares two methods on one or several datasets. Repeats of a task are averaged. `null`: no task is graded for both. */
export function pairedDifference(
  one: readonly Outcome[],
  other: readonly Outcome[],
  { profile, seed, draws = BOOTSTRAP_DRAWS }: { profile: GradingProfile; seed: number; draws?: number },
): Difference | null {
  const [mine, theirs] = [scoresByTask(one, profile), scoresByTask(other, profile)];
  const differences = [...mine.keys()].toSorted().flatMap((task) => {
    const [first, second] = [mine.get(task), theirs.get(task)];
    return first === undefined || second === undefined ? [] : [first - second];
  });
  return differences.length === 0 ? null : bootstrapMean(differences, seed, draws);
}

function bootstrapMean(differences: readonly number[], seed: number, draws: number): Difference {
  const values = Float64Array.from(differences);
  const count = values.length;
  const random = seededRandom(seed);
  const means = new Float64Array(draws);
  let above = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += values[Math.floor(random() * count)] ?? 0;
    means[draw] = sum / count;
    if (sum > 0) above += 1;
  }
  means.sort();
  return {
    difference: values.reduce((sum, value) => sum + value, 0) / count,
    low: quantileOf(means, 0.025),
    high: quantileOf(means, 0.975),
    shareAbove: above / draws,
    tasks: count,
  };
}

/** Interpolates between the two nearest values. */
function quantileOf(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

function scoresByTask(outcomes: readonly Outcome[], profile: GradingProfile): Map<string, number> {
  const sums = new Map<string, { graded: number; correct: number }>();
  for (const outcome of outcomes) {
    const correct = isCorrect(outcome, profile);
    if (correct === null) continue;
    const key = taskKey(outcome);
    const sum = sums.get(key) ?? { graded: 0, correct: 0 };
    sum.graded += 1;
    if (correct) sum.correct += 1;
    sums.set(key, sum);
  }
  return new Map([...sums].map(([key, { graded, correct }]) => [key, correct / graded]));
}
