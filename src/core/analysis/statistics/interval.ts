/**
 * @file Computes confidence intervals of shares and of differences between shares. Wilson intervals stay within 0 and 1, and are
 * accurate even for few values.
 */
import type { Interval } from '../../contract';
import { normalQuantile } from './quantiles';

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/** A share of a total. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/**
 * A share with its Wilson interval, by default at 95 %. `null`: the total is 0.
 * @param z quantile of the normal distribution that sets the interval's width
 */
export function wilsonInterval(count: number, of: number, z = Z): Interval | null {
  if (of <= 0) return null;
  const mean = count / of;
  const scale = 1 + z ** 2 / of;
  const centre = (mean + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((mean * (1 - mean)) / of + z ** 2 / (4 * of ** 2));
  // `Math.min` and `Math.max` keep the share itself within the interval, in spite of rounding errors.
  return { mean, low: Math.max(0, Math.min(mean, centre - half)), high: Math.min(1, Math.max(mean, centre + half)) };
}

/** The difference of two independent shares, with Newcombe's interval, by default at 95 %. `null`: a total is 0. */
export function differenceOf(one: Share, other: Share, z = Z): Interval | null {
  const [first, second] = [wilsonInterval(one.count, one.of, z), wilsonInterval(other.count, other.of, z)];
  if (!first || !second) return null;
  const mean = first.mean - second.mean;
  return {
    mean,
    low: mean - Math.hypot(first.mean - first.low, second.high - second.mean),
    high: mean + Math.hypot(first.high - first.mean, second.mean - second.low),
  };
}

/**
 * The share that is higher than every other share, at 95 % confidence over all comparisons together (Bonferroni). `null`: there
 * is no such share, or only one share.
 */
export function highestOf<Item extends Share>(shares: readonly Item[]): Item | null {
  if (shares.length < 2) return null;
  const highest = shares.reduce((best, share) => (share.count / share.of > best.count / best.of ? share : best));
  const z = normalQuantile(1 - 0.025 / (shares.length - 1));
  const isHigher = (other: Item) => other === highest || (differenceOf(highest, other, z)?.low ?? -1) > 0;
  return shares.every(isHigher) ? highest : null;
}
