import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairedDifference } from '../../../../src/core/evaluation/statistics/bootstrap';
import { outcome } from '../../../fixtures/evaluation/batches';

const answers = (correct: readonly (boolean | null)[], repeat = 0) =>
  correct.map((each, index) => outcome(each, { taskId: `t${index}`, repeat }));
const options = { profile: 'strict', seed: 1 } as const;
const count = (length: number, right: number) => Array.from({ length }, (_, index) => index < right);

describe('the paired difference', () => {
  it('has an interval close to the normal approximation for 400 tasks', () => {
    // The difference is 1 on 100 tasks and 0 on 300 tasks. Its standard error is sqrt(0.25 · 0.75 / 400) = 0.02165.
    const found = pairedDifference(answers(count(400, 300)), answers(count(400, 200)), options);
    expect(found).toMatchObject({ difference: 0.25, tasks: 400, shareAbove: 1 });
    expect(Math.abs((found?.low ?? 0) - (0.25 - 1.96 * 0.02165))).toBeLessThan(0.004);
    expect(Math.abs((found?.high ?? 0) - (0.25 + 1.96 * 0.02165))).toBeLessThan(0.004);
  });

  it('has a `shareAbove` (share of draws above 0) of about 1/4 for the differences 1 and −1', () => {
    // Of the four equally likely draws, one has a positive sum.
    const found = pairedDifference(answers([true, false]), answers([false, true]), options);
    expect(found).toMatchObject({ difference: 0, low: -1, high: 1 });
    expect(Math.abs((found?.shareAbove ?? 0) - 0.25)).toBeLessThan(0.02);
  });

  it('has an interval of width 0 if the difference is the same on every task', () => {
    const found = pairedDifference(answers([true, true, true]), answers([false, false, false]), options);
    expect(found).toEqual({ difference: 1, low: 1, high: 1, shareAbove: 1, tasks: 3 });
  });

  it('uses only tasks on which both methods are graded, and averages the repeats of each task', () => {
    const one = [...answers([true, true, null]), ...answers([false, true, null], 1)];
    expect(pairedDifference(one, answers([false, null, true]), options)).toMatchObject({ difference: 0.5, tasks: 1 });
    expect(pairedDifference(one, answers([null]), options)).toBeNull();
  });

  it('distinguishes tasks with equal ids in different datasets', () => {
    const other = [outcome(false), outcome(true, { dataset: 1 })];
    expect(pairedDifference([outcome(true), outcome(true, { dataset: 1 })], other, options)).toMatchObject({
      difference: 0.5,
      tasks: 2,
    });
  });

  it('ignores the order of tasks, changes its sign for swapped methods, and has low ≤ high', () => {
    const results = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(results, fc.integer(), (pairs, seed) => {
        const [one, other] = [answers(pairs.map(([first]) => first)), answers(pairs.map(([, second]) => second))];
        const settings = { profile: 'strict', seed, draws: 400 } as const;
        const found = pairedDifference(one, other, settings);
        expect(pairedDifference(one.toReversed(), other, settings)).toEqual(found);
        const mirrored = pairedDifference(other, one, settings);
        expect(mirrored?.difference).toBeCloseTo(-(found?.difference ?? NaN), 12);
        expect(mirrored?.low).toBeCloseTo(-(found?.high ?? NaN), 12);
        expect((found?.low ?? NaN) <= (found?.high ?? NaN)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
