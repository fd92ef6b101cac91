/** @file Means and shares, each with its number of values and its 95 % confidence interval. */
import { wilsonInterval } from './interval';
import { studentQuantile } from './quantiles';

export interface Estimate {
  /** Number of values (at least 1). */
  readonly n: number;
  readonly mean: number;
  /** The 95 % confidence interval of the mean. `null` if there is only one value. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** A share with its Wilson interval. `null`: the total is 0. */
export function shareOf(count: number, of: number): Estimate | null {
  const share = wilsonInterval(count, of);
  return share && { n: of, mean: share.mean, interval: { low: share.low, high: share.high } };
}

/** Count, mean and squared deviations of values that are added one by one (Welford's method). */
export class Moments {
  n = 0;
  mean = 0;
  #squares = 0;

  add(value: number): void {
    this.n += 1;
    const before = value - this.mean;
    this.mean += before / this.n;
    this.#squares += before * (value - this.mean);
  }

  /** The mean with its Student interval. `null`: there are no values. */
  estimate(): Estimate | null {
    return this.n === 0 ? null : meanWith(this.n, this.mean, this.#squares);
  }
}

/** @param squares sum of squared deviations from the mean */
export function meanWith(n: number, mean: number, squares: number): Estimate {
  if (n < 2) return { n, mean, interval: null };
  const half = studentQuantile(n - 1) * Math.sqrt(Math.max(0, squares) / (n - 1) / n);
  return { n, mean, interval: { low: mean - half, high: mean + half } };
}
