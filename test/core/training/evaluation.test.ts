/** @file Comparisons and the card: intervals as the books have them, paired, and words that say whether goals are met. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy';
import { compareOn, CONTENDERS, type Contender, type Result } from '../../../src/core/training/contenders';
import { compare, estimate, summarise } from '../../../src/core/training/evaluation';
import { curveDrawing, mayReplaceHeuristic, modelCard, type CardFacts } from '../../../src/core/training/model-card';
import { DEFAULT_COURSE } from '../../../src/core/training/trainer';
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

/** Facts in which the policy is right on a share of items on which the heuristic is not, and never the other way round. */
function facts(lead: number): CardFacts {
  const results = Array.from({ length: 1_000 }, (_, index) =>
    each((contender) => index < 500 || (contender === 'policy' && index < 500 + 1_000 * lead)),
  );
  const comparison = summarise(results);
  const trial = { all: comparison, seeds: [comparison] };
  return {
    revision: 'test',
    command: 'npm run train',
    course: DEFAULT_COURSE,
    workers: 10,
    pastRuns: 100,
    parameters: 72_000,
    seconds: 600,
    processorSeconds: 300,
    updates: 100,
    kept: 100,
    curve: [
      { update: 50, right: 0.6, calls: 4, training: 0.5 },
      { update: 100, right: 0.7, calls: 4, training: 0.6 },
    ],
    heuristicOnValidation: 0.65,
    trials: { 'known workers': trial, 'unseen workers': trial, 'built-in workers': trial },
    byDepth: [{ depth: 0, comparison }],
  };
}

describe('the card', () => {
  it('says which goals are met', () => {
    const good = modelCard(facts(0.2));
    expect(good).toContain('met, and certain at 95 %');
    expect(good).not.toContain('not met');
    const bad = modelCard(facts(0));
    expect(bad).toContain('not met');
    expect(bad).toContain('the heuristic stays the default');
  });

  it('opens the gate only for a lead that is certain', () => {
    expect(mayReplaceHeuristic(facts(0.05).trials)).toBe(true);
    expect(mayReplaceHeuristic(facts(0.001).trials)).toBe(false);
  });

  it('draws the curve', () => {
    const drawing = curveDrawing(facts(0.1));
    expect(drawing.match(/<polyline/g)?.length).toBe(2);
    expect(drawing).not.toMatch(/NaN|Infinity/);
  });
});
