/** @file Checks quantiles, and intervals of means and of differences, against published values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/contract';
import { Moments, shareOf } from '../../../../src/core/analysis/statistics/estimate';
import { differenceOf, highestOf } from '../../../../src/core/analysis/statistics/interval';
import { normalQuantile, quantiles, studentQuantile } from '../../../../src/core/analysis/statistics/quantiles';

describe('quantiles of distributions', () => {
  it('agree with published tables', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 5);
    expect(normalQuantile(0.999)).toBeCloseTo(3.090232, 5);
    expect(normalQuantile(0.01)).toBeCloseTo(-2.326348, 5);
    for (const [freedom, expected] of [
      [1, 12.706],
      [2, 4.303],
      [3, 3.182],
      [5, 2.571],
      [10, 2.228],
      [30, 2.042],
      [1000, 1.962],
    ] as const) {
      expect(Math.abs(studentQuantile(freedom) / expected - 1)).toBeLessThan(0.002);
    }
  });
});

describe('the mean of values', () => {
  it('has the confidence interval of Student’s t distribution', () => {
    const moments = new Moments();
    for (const value of [2, 4, 4, 4, 5, 5, 7, 9]) moments.add(value);
    const found = moments.estimate();
    expect(found?.mean).toBe(5);
    // The standard deviation of the sample is 2.138. The t quantile for seven degrees of freedom is 2.365.
    expect(found?.interval?.low).toBeCloseTo(5 - (2.365 * 2.13809) / Math.sqrt(8), 2);
    expect(found?.interval?.high).toBeCloseTo(5 + (2.365 * 2.13809) / Math.sqrt(8), 2);
  });

  it('has no interval for one value, and is null if there are no values', () => {
    const moments = new Moments();
    expect(moments.estimate()).toBeNull();
    moments.add(3);
    expect(moments.estimate()).toEqual({ n: 1, mean: 3, interval: null });
    expect(shareOf(0, 0)).toBeNull();
  });
});

describe('the difference of two shares', () => {
  it('has the interval that Newcombe published for an example', () => {
    // Newcombe 1998, table II, (a): 56/70 − 48/80, method 10.
    const found = differenceOf({ count: 56, of: 70 }, { count: 48, of: 80 });
    expect(found?.mean).toBeCloseTo(0.2, 12);
    expect(found?.low).toBeCloseTo(0.0524, 4);
    expect(found?.high).toBeCloseTo(0.3339, 4);
  });

  it('shows which of several shares is clearly the highest, if any', () => {
    const [low, high] = [{ count: 10, of: 50 }, { count: 40, of: 50 }]; // prettier-ignore
    expect(highestOf([low, high])).toBe(high);
    expect(highestOf([low, high, { count: 38, of: 50 }])).toBeNull();
    expect(highestOf([high])).toBeNull();
  });
});

describe('quantiles of a sample', () => {
  it('equal the quantiles of the sorted sample', () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 200 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(values, share, share, (sample, one, other) => {
        const sorted = Float64Array.from(sample).sort();
        const expected = (of: number) => {
          const at = of * (sample.length - 1);
          const [low, high] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
          return at % 1 === 0 ? low : low + (high - low) * (at - Math.floor(at));
        };
        const shares = [Math.min(one, other), Math.max(one, other)];
        const found = quantiles(Float64Array.from(sample), shares);
        // Adding 0 turns -0 into 0.
        expect(found.map((value) => value + 0)).toEqual(shares.map((of) => expected(of) + 0));
      }),
    );
  });

  it('equal the quantiles of the sorted sample if it is long and has extreme outliers', () => {
    const random = seededRandom(1);
    const sample = Float64Array.from({ length: 5000 }, () => (random() < 0.01 ? 1e300 : random() ** 9));
    const sorted = sample.slice().sort();
    expect(quantiles(sample, [0, 0.5, 1])).toEqual([
      sorted[0],
      expect.closeTo(((sorted[2499] ?? NaN) + (sorted[2500] ?? NaN)) / 2, 12),
      sorted[4999],
    ]);
  });
});
