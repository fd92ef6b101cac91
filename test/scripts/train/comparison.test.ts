/** @file Tests paired comparisons of the policy with other ways to plan (contenders), such as the heuristic. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { summarize } from '../../../scripts/train/comparison';
import { compareOn, CONTENDERS, type Contender } from '../../../scripts/train/contenders';
import type { PlayResult } from '../../../src/core/training/evaluation/players';
import { items, smallSociety } from '../../core/training/society';

const drawn = items(smallSociety('held-out'), 30);

describe('a comparison', () => {
  it('has reproducible results, and counts the calls of each contender', () => {
    const parameters = initialParameters({ width: 8 }, seededRandom(1));
    const compare = () => summarize(drawn.map((item) => compareOn(item, parameters)));
    const comparison = compare();
    expect(comparison.items).toBe(30);
    expect(compare()).toEqual(comparison);
    const { standings } = comparison;
    expect(standings.policy.policyLeads).toEqual({ mean: 0, low: 0, high: 0 });
    expect(standings.heuristic.calls, 'settled steps are skipped').toBeLessThan(5);
    expect(standings['best single'].calls).toBe(1);
    expect(standings['equal calls on best single'].calls).toBeCloseTo(standings.policy.calls, 10);
  });

  it('counts the policy as wrong, with zero calls, if it has no parameters', () => {
    const [item] = drawn;
    expect(item && compareOn(item, null).policy).toEqual({ correct: false, calls: 0, cutShort: false });
  });

  it('gives the policy a lead of exactly 0 over a contender that is right on the same items', () => {
    const results = Array.from({ length: 50 }, (_, index) => each(() => index % 2 === 0));
    expect(summarize(results).standings.oracle.policyLeads).toEqual({ mean: 0, low: 0, high: 0 });
  });
});

function each(isRight: (contender: Contender) => boolean): Record<Contender, PlayResult> {
  const entries = CONTENDERS.map((contender) => [
    contender,
    { correct: isRight(contender), calls: 1, cutShort: false },
  ]);
  return Object.fromEntries(entries) as Record<Contender, PlayResult>;
}
