import { describe, expect, it } from 'vitest';
import { planMeasurement } from '../../../../src/core/measurement/ability/plan-measurement';

const worker = (id: string, costPerTask: number | null, thinking = false) => ({
  id,
  costPerTask,
  secondsPerTask: 2,
  thinking,
});

describe('planMeasurement', () => {
  it('measures everybody fully if the budget allows it', () => {
    const plan = planMeasurement([worker('a', 0.001), worker('b', 0.002)], 1);
    expect(plan.workers.map(({ tasks, pooled }) => [tasks, pooled])).toEqual([
      [150, false],
      [150, false],
    ]);
    expect(plan.cost).toBeCloseTo(0.45);
    expect(plan.fullCost).toBeCloseTo(plan.cost);
    expect(plan.seconds).toBe(300);
    expect(plan.workers[0]?.halfWidth).toBe(plan.fullHalfWidth);
  });

  it.each([0, 0.01, 0.3, 1, 5])('never plans to spend more than %d dollars', (budget) => {
    const costs = [0.0008, 0.002, 0.006, 0.015, 0.03];
    const plan = planMeasurement(
      costs.map((cost, index) => worker(`${index}`, cost, index > 2)),
      budget,
    );
    expect(plan.cost).toBeLessThanOrEqual(budget);
    const tasks = plan.workers.map((each) => each.tasks);
    expect(tasks).toEqual(tasks.toSorted((one, other) => other - one));
    for (const { tasks: count, pooled, halfWidth } of plan.workers) {
      expect(pooled).toBe(count < 50);
      expect(halfWidth === null).toBe(count === 0);
    }
    expect(plan.fullCost).toBeCloseTo(150 * 0.0538);
  });

  it('gives a thinking worker fewer tasks than another one of the same price', () => {
    const [fast, thinking] = planMeasurement([worker('a', 0.01), worker('b', 0.01, true)], 1).workers;
    expect(thinking?.tasks).toBeGreaterThan(0);
    expect(thinking?.tasks).toBeLessThan(fast?.tasks ?? 0);
  });

  it('measures free workers fully, and workers of unknown price not at all', () => {
    const [free, unknown] = planMeasurement([worker('free', 0), worker('unknown', null)], 0).workers;
    expect([free?.tasks, unknown?.tasks]).toEqual([150, 0]);
  });
});
