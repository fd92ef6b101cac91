/** @file Computes means with confidence intervals. */
import type { Interval } from '../../contract';

/** Returns the mean and its 95 % confidence interval, in the normal approximation. */
export function estimate(values: readonly number[]): Interval {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, each) => sum + each, 0) / count;
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, count - 1);
  const half = 1.96 * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half };
}
