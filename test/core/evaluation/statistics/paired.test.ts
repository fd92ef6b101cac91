import { describe, expect, it } from 'vitest';
import { seededRandom, type Random } from '../../../../src/core/contract';
import { pairedDifference } from '../../../../src/core/evaluation/statistics/bootstrap';
import { pairedRatio, pairedScores, totalOf } from '../../../../src/core/evaluation/statistics/paired';
import { outcome } from '../../../fixtures/evaluation/batches';

/** Differences of tasks that the first method alone solves with probability `won`, and the second alone with `lost`. */
const drawn = (tasks: number, won: number, lost: number, random: Random) =>
  Array.from({ length: tasks }, () => {
    const draw = random();
    return draw < won ? 1 : draw < won + lost ? -1 : 0;
  });

/** Half the width of the middle 95 % of 2,000 bootstrap draws of a statistic. */
function bootstrapped<T>(items: readonly T[], statistic: (drawn: readonly T[]) => number): number {
  const random = seededRandom(5);
  const values = Array.from({ length: 2_000 }, () =>
    statistic(items.map((item) => items[Math.floor(random() * items.length)] ?? item)),
  ).toSorted((one, other) => one - other);
  return ((values[1_950] ?? NaN) - (values[50] ?? NaN)) / 2;
}

describe('the paired difference by formula', () => {
  it('has nearly the interval of the bootstrap', () => {
    const differences = drawn(300, 0.25, 0.15, seededRandom(1));
    const side = (right: (difference: number) => boolean) =>
      differences.map((each, index) => outcome(right(each), { taskId: `t${index}` }));
    const found = pairedScores(differences);
    const bootstrap = pairedDifference(
      side((each) => each === 1),
      side((each) => each === -1),
      { profile: 'strict', seed: 1 },
    );
    expect(found?.value).toBe(bootstrap?.difference);
    expect(found?.plusMinus).toBeCloseTo(((bootstrap?.high ?? 0) - (bootstrap?.low ?? 0)) / 2, 2);
    expect(found?.tasks).toBe(300);
  });

  it('gives a verdict only if the interval allows it', () => {
    const differences = (won: number, lost: number, same: number) => [
      ...Array.from({ length: won }, () => 1),
      ...Array.from({ length: lost }, () => -1),
      ...Array.from({ length: same }, () => 0),
    ];
    expect(pairedScores(differences(20, 4, 40))).toMatchObject({ verdict: 'better', moreTasks: null });
    expect(pairedScores(differences(4, 20, 40))).toMatchObject({ verdict: 'worse', moreTasks: null });
    expect(pairedScores(differences(12, 9, 40))?.verdict).toBeNull();
    // Neither 19 tasks nor five that differ can show a difference, although all of them favour the same method.
    expect(pairedScores(differences(19, 0, 0))).toMatchObject({ value: 1, verdict: null, moreTasks: 1 });
    expect(pairedScores(differences(6, 0, 14))).toMatchObject({ verdict: 'better' });
    expect(pairedScores(differences(5, 0, 15))?.verdict).toBeNull();
    expect(pairedScores(differences(3, 3, 40))).toMatchObject({ value: 0, verdict: null, moreTasks: null });
    expect(pairedScores([1])).toBeNull();
  });

  it.each([
    [20, 0.15],
    [20, 0.4],
    [40, 0.05],
    [40, 0.2],
    [120, 0.1],
  ])('gives few wrong verdicts with %i tasks, of which a share of %d differs each way', (tasks, share) => {
    const random = seededRandom(9);
    const found = Array.from({ length: 4_000 }, () => pairedScores(drawn(tasks, share, share, random)));
    // The share has a standard error of about 0.3 points.
    expect(found.filter((each) => each?.verdict != null).length / 4_000).toBeLessThan(0.06);
  });

  it('states how many more tasks show the difference with a chance of 80 %', () => {
    // Exactly 12 of 80 tasks are won and 6 are lost, so the shares in the sample are 0.15 and 0.075.
    const sample = Array.from({ length: 80 }, (_, index) => (index < 12 ? 1 : index < 18 ? -1 : 0));
    const more = pairedScores(sample)?.moreTasks ?? 0;
    expect(more).toBeGreaterThan(200);
    const random = seededRandom(11);
    const found = Array.from({ length: 2_000 }, () => pairedScores(drawn(80 + more, 0.15, 0.075, random)));
    const share = found.filter((each) => each?.verdict === 'better').length / 2_000;
    expect(share).toBeGreaterThan(0.76);
    expect(share).toBeLessThan(0.86);
  });
});

describe('costs of the same tasks', () => {
  const random = seededRandom(3);
  const pairs = Array.from({ length: 200 }, () => {
    const length = 1 + random();
    return [length * (2 + random()), length * (0.8 + 0.4 * random())] as const;
  });
  const sum = (drawn: readonly (readonly number[])[], side: 0 | 1) =>
    drawn.reduce((total, pair) => total + (pair[side] ?? 0), 0);

  it('have a ratio with nearly the interval of the bootstrap', () => {
    const found = pairedRatio(pairs);
    expect(found?.value).toBeCloseTo(sum(pairs, 0) / sum(pairs, 1), 10);
    const half = bootstrapped(pairs, (each) => sum(each, 0) / sum(each, 1));
    expect(Math.abs((found?.plusMinus ?? 0) / half - 1)).toBeLessThan(0.06);
    expect(pairedRatio(pairs.map(([one]) => [one, 0] as const))).toBeNull();
  });

  it('have a total with nearly the interval of the bootstrap', () => {
    const found = totalOf(pairs.map(([one]) => one));
    expect(found.value).toBeCloseTo(sum(pairs, 0), 8);
    const half = bootstrapped(pairs, (each) => sum(each, 0));
    expect(Math.abs(found.plusMinus / half - 1)).toBeLessThan(0.06);
  });
});
