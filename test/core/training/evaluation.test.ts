/** @file Comparisons: intervals as the books have them, paired. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy';
import { compareOn, CONTENDERS, type Contender, type Result } from '../../../src/core/training/contenders';
import { compare, estimate, summarise } from '../../../src/core/training/evaluation';
import { items, smallSociety } from './society';

const asked = items(smallSociety('held-out'), 30);

describe('an estimate', () => {
  it('has the normal interval', () => {
    const { mean, low, high } = estimate([
      ...Array.from({ length: 60 }, () => 1),
      ...Array.from({ length: 40 }, () => 0),
    ]);
    expect(mean).toBeCloseTo(0.6);
    expect(high - mean).toBeCloseTo(1.96 * Math.sqrt((0.6 * 0.4) / 99), 5);
    expect(mean - low).toBeCloseTo(high - mean, 10);
  });
});

describe('a comparison', () => {
  it('plays everyone on the same items, and the same again', () => {
    const parameters = initialParameters({ width: 8 }, seededRandom(1));
    const comparison = compare(asked, parameters);
    expect(comparison.items).toBe(30);
    expect(compare(asked, parameters)).toEqual(comparison);
    const { standings } = comparison;
    expect(standings.policy.policyLeads).toEqual({ mean: 0, low: 0, high: 0 });
    expect(standings.heuristic.calls).toBe(5);
    expect(standings['best single'].calls).toBe(1);
    expect(standings['equal calls on best single'].calls).toBeCloseTo(standings.policy.calls, 10);
  });

  it('leaves the policy out where there is none', () => {
    const [item] = asked;
    expect(item && compareOn(item, null).policy).toEqual({ correct: false, calls: 0 });
  });

  it('is paired: who is right on the same items leads by nothing, for certain', () => {
    const results = Array.from({ length: 50 }, (_, index) => each(() => index % 2 === 0));
    expect(summarise(results).standings.oracle.policyLeads).toEqual({ mean: 0, low: 0, high: 0 });
  });
});

function each(isRight: (contender: Contender) => boolean): Record<Contender, Result> {
  const entries = CONTENDERS.map((contender) => [contender, { correct: isRight(contender), calls: 1 }]);
  return Object.fromEntries(entries) as Record<Contender, Result>;
}
