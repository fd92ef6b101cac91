/** @file The Wilson interval of a share, which stays within 0 and 1 and is accurate for few values. */
import type { Interval } from '../../contract';

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/** A share with its 95 % interval. `null`: the total is 0. */
export function wilsonInterval(count: number, of: number): Interval | null {
  if (of <= 0) return null;
  const mean = count / of;
  const scale = 1 + Z ** 2 / of;
  const centre = (mean + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((mean * (1 - mean)) / of + Z ** 2 / (4 * of ** 2));
  // Rounding must not exclude the share itself.
  return { mean, low: Math.max(0, Math.min(mean, centre - half)), high: Math.min(1, Math.max(mean, centre + half)) };
}
