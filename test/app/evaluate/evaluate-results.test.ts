import { describe, expect, it } from 'vitest';
import { bestMethod, computeResults, taskRows } from '../../../src/app/evaluate/evaluate-results';
import { taskKey } from '../../../src/core/evaluation/statistics/score';
import type { Outcome } from '../../../src/core/contract';
import { outcome, storedBatch } from '../../fixtures/evaluation/batches';

const BATCH = storedBatch('batch');
const results = (outcomes: readonly Outcome[], compared: number | null = 0) =>
  computeResults(BATCH, outcomes, { profile: 'strict', compared, pause: () => Promise.resolve() });

/**
 * Outcomes of the two methods of the batch. `one` says whether the first method solves the tasks `t0`, `t1` and so
 * on. `two` says the same about the second method.
 */
function both(one: readonly boolean[], two: readonly boolean[], more: Partial<Outcome> = {}): Outcome[] {
  return [one, two].flatMap((own, method) =>
    own.map((correct, index) => outcome(correct, { method, taskId: `t${index}`, ...more })),
  );
}

describe('computeResults', () => {
  it('compares the chosen method with all others', async () => {
    const { differences } = await results(both([true, true, true, true], [true, true, false, false]));
    expect(differences[0]).toBeNull();
    expect(differences[1]).toMatchObject({ difference: -0.5, tasks: 4 });
    expect((await results(both([true], [false]), null)).differences).toEqual([null, null]);
  });

  it('plots scores against US dollars, or against calls if everything is free or a price is unknown', async () => {
    const answers = [
      [true, true, true, false],
      [true, false, false, false],
    ] as const;
    const free = await results(both(...answers, { usd: 0 }));
    expect(free.unit).toBe('calls');
    expect(free.points.map(({ cost }) => cost)).toEqual([2, 2]);
    expect(free.points.map(({ isOnFront }) => isOnFront)).toEqual([true, false]);
    expect((await results(both(...answers))).unit).toBe('usd');
    expect((await results([...both(...answers), outcome(true, { taskId: 't3', unpriced: 1 })])).unit).toBe('calls');
  });

  it('finds the tasks that only some methods solve', async () => {
    const { disputed } = await results(both([true, true, false, false], [true, false, false, true]));
    expect([...disputed].toSorted()).toEqual(['t1', 't3'].map((taskId) => taskKey({ dataset: 0, taskId })));
  });

  it('lists a grading profile (a set of rules) only if some outcome has a verdict by this profile', async () => {
    expect((await results(both([true], [true]))).profiles).toEqual(['strict']);
    const verdicts = { strict: { correct: true, detail: '' }, 'paper-artefact': { correct: false, detail: '' } };
    expect((await results([outcome(true, { verdicts })])).profiles).toEqual(['strict', 'paper-artefact']);
  });

  it('pauses at least twice for each method, so that the page can handle input', async () => {
    let pauses = 0;
    await computeResults(BATCH, both([true], [false]), {
      profile: 'strict',
      compared: 0,
      pause: async () => void pauses++,
    });
    expect(pauses).toBeGreaterThanOrEqual(2 * BATCH.plan.methods.length);
  });
});

describe('taskRows', () => {
  it('lists every task of the batch, with an empty list for each method that has no outcome', () => {
    const rows = taskRows(BATCH, [outcome(true, { taskId: 't1', method: 1 })]);
    expect(rows.map(({ taskId }) => taskId)).toEqual(['t0', 't1', 't2', 't3']);
    expect(rows[1]?.methods.map((own) => own.length)).toEqual([0, 1]);
  });
});

describe('bestMethod', () => {
  it('is the method with the best score, or `null` if no outcome is graded', () => {
    expect(bestMethod(BATCH, both([false, true], [true, true]))).toEqual({ label: 'Method two', score: 1 });
    expect(bestMethod(BATCH, [])).toBeNull();
  });
});
