/** @file Tests the training curves. Each point is the mean of one or more neighboring updates. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyCurves,
  hasCollapsed,
  MAX_POINTS,
  withUpdate,
  withValidated,
} from '../../../../src/core/training/learning/curves';
import type { UpdateFigures } from '../../../../src/core/training/learning/figures';

function figures(update: number, reward: number, steps = 4): UpdateFigures {
  return {
    update,
    reward,
    right: reward,
    calls: 4,
    loss: 0.1,
    gradient: 0.2,
    valid: 1,
    steps,
    entropy: 1,
    topologies: { 'one step': 0.25, chain: 0.25, 'fan-in': 0.5, other: 0 },
    ranks: [0.7, 0.2, 0.1, 0],
  };
}

describe('curves', () => {
  it('have one point per update of a short course, except updates that train second rounds', () => {
    const curves = Array.from({ length: 12 }, (_, index) => figures(index + 1, 0.5)).reduce(
      withUpdate,
      emptyCurves(12),
    );
    expect(curves.points.map(({ update }) => update)).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 10, 11]);
    expect(curves.update).toBe(12);
  });

  it('have at most `MAX_POINTS` points, which average all updates without second rounds', () => {
    const course = fc.record({
      planned: fc.integer({ min: 1, max: 2_000 }),
      made: fc.integer({ min: 1, max: 2_000 }),
      reward: fc.func(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    fc.assert(
      fc.property(course, ({ planned, made, reward }) => {
        const updates = Array.from({ length: Math.min(made, planned) }, (_, index) =>
          figures(index + 1, reward(index)),
        );
        const curves = updates.reduce(withUpdate, emptyCurves(planned));
        const shown = updates.filter(({ update }) => update % 6 !== 0);
        expect(curves.points.length).toBeLessThanOrEqual(MAX_POINTS);
        const places = curves.points.map(({ update }) => update);
        expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
        expect(curves.points.reduce((sum, { weight }) => sum + weight, 0)).toBe(shown.length);
        const mean = curves.points.reduce((sum, point) => sum + point.weight * point.reward, 0);
        expect(mean).toBeCloseTo(
          shown.reduce((sum, each) => sum + each.reward, 0),
          6,
        );
      }),
      { numRuns: 30 },
    );
  });

  it('keep validation results separate from the points', () => {
    const validated = { update: 20, right: 0.8, calls: 4.5, heuristic: 0.75 };
    expect(withValidated(emptyCurves(40), validated)).toMatchObject({ points: [], validated: [validated] });
  });

  it('show whether the policy has collapsed to plans of one step', () => {
    expect(hasCollapsed(emptyCurves(10))).toBe(false);
    expect(hasCollapsed(withUpdate(emptyCurves(10), figures(1, 0.9, 4)))).toBe(false);
    expect(hasCollapsed(withUpdate(emptyCurves(10), figures(1, 0.9, 1.05)))).toBe(true);
  });
});
