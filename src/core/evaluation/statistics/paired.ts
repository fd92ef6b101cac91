/**
 * @file Compares two methods on the same tasks, with formulas: the difference of their scores, the ratio of their costs, and the number
 * of tasks that would show a difference. The plus-or-minus is half the width of the 95 % interval.
 */

/** Normal quantiles: of the 95 % interval, and of a chance of 80 %. */
const INTERVAL = 1.959964;
const CHANCE = 0.841621;
/** Fewest tasks for a verdict. With fewer, the interval is too narrow. */
const FEWEST_TASKS = 20;
/** Fewest tasks with different scores for a verdict. With fewer, even a sign test can't show a difference. */
const FEWEST_DIFFERENT = 6;

export interface Estimate {
  readonly value: number;
  readonly plusMinus: number;
}

export interface PairedScores extends Estimate {
  readonly tasks: number;
  /** Whether the first method is better or worse. `null`: the interval does not show it. */
  readonly verdict: 'better' | 'worse' | null;
  /**
   * Without a verdict: how many more tasks would show the difference with a chance of 80 %, if difference and spread stay as they are.
   * `null`: there is a verdict, or no number of tasks would do, because the difference is 0.
   */
  readonly moreTasks: number | null;
}

/**
 * The mean difference of scores. The interval is that of Agresti and Min (2005): it counts one task more for each method, which keeps
 * it honest when only few tasks differ. @param differences by task, from −1 to 1. `null`: there are fewer than two
 */
export function pairedScores(differences: readonly number[]): PairedScores | null {
  const tasks = differences.length;
  if (tasks < 2) return null;
  const sum = differences.reduce((total, each) => total + each, 0);
  const squares = differences.reduce((total, each) => total + each ** 2, 0);
  const counted = tasks + 2;
  const variance = (squares + 1) / counted - (sum / counted) ** 2;
  const value = sum / tasks;
  const plusMinus = (INTERVAL * Math.sqrt(variance / counted) * counted) / tasks;
  const different = differences.filter((each) => each !== 0).length;
  const isEnough = tasks >= FEWEST_TASKS && different >= FEWEST_DIFFERENT;
  if (isEnough && Math.abs(value) > plusMinus)
    return { value, plusMinus, tasks, verdict: value > 0 ? 'better' : 'worse', moreTasks: null };
  const wanted = ((INTERVAL + CHANCE) ** 2 * variance) / value ** 2;
  const moreTasks = value === 0 ? null : Math.max(1, FEWEST_TASKS - tasks, Math.ceil(wanted - tasks));
  return { value, plusMinus, tasks, verdict: null, moreTasks };
}

/** The ratio of two sums, over tasks. `null`: there are fewer than two tasks, or the second sum is 0. */
export function pairedRatio(pairs: readonly (readonly [number, number])[]): Estimate | null {
  const count = pairs.length;
  const [one, other] = [0, 1].map((side) => pairs.reduce((sum, pair) => sum + (pair[side] ?? 0), 0));
  if (count < 2 || one === undefined || !other) return null;
  const value = one / other;
  const squares = pairs.reduce((sum, [a, b]) => sum + (a - value * b) ** 2, 0);
  return { value, plusMinus: (INTERVAL * Math.sqrt((squares * count) / (count - 1))) / other };
}

/** The sum over tasks, as an estimate for other tasks of the same kind. */
export function totalOf(values: readonly number[]): Estimate {
  const count = values.length;
  const value = values.reduce((sum, each) => sum + each, 0);
  const squares = values.reduce((sum, each) => sum + (each - value / count) ** 2, 0);
  return { value, plusMinus: count < 2 ? 0 : INTERVAL * Math.sqrt((squares * count) / (count - 1)) };
}
