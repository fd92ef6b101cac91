import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costsOf } from '../../../src/core/analysis/run-costs';
import { foldEvents, type Run, type StoredEvent } from '../../../src/core/contract';
import { POOL, scriptedRun } from '../../app/scripted-runs';
import { endedRun } from '../../fixtures/run-arbitrary';
import { randomRun, sceneOf } from '../executor/random-scenes';
import { paidWorker, play, fails, delta, done, subtaskOf } from '../executor/scripted';
import { fault } from '../../../src/core/contract';
import { step } from '../../fixtures/run-events';

/** Compares the sum of all rows with the spending that the run itself records. */
function expectSameSum(run: Run, events: readonly StoredEvent[]) {
  const { rows, total } = costsOf(run, events);
  const { input, output, usd, unpriced, estimated } = run.spent;
  expect(total).toMatchObject({ input, output, unpriced, estimated });
  expect(total.usd).toBeCloseTo(usd, 9);
  const sum = (value: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + value(row), 0);
  expect(sum((row) => row.usd)).toBeCloseTo(usd, 9);
  expect(sum((row) => row.input + row.output)).toBe(input + output);
}

describe('the costs of a run by step', () => {
  it('add up to what the run spent, for random runs with retries, candidate plans and failures', () => {
    fc.assert(
      fc.property(endedRun(), (events) => {
        const run = foldEvents(events);
        if (run) expectSameSum(run, events);
      }),
    );
  });

  it('add up to what the run spent, for runs with several rounds, interrupted plans and failed calls', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (drawn) => {
        const { run, events } = await play(sceneOf(drawn));
        expectSameSum(run, events);
      }),
      { numRuns: 40 },
    );
  });

  it('count every attempt of a step, and name its worker', async () => {
    let calls = 0;
    const { run, events } = await play({
      plan: [step(0, 'a'), step(1, 'b', [0])],
      start: { pool: [paidWorker(0), paidWorker(1)] },
      work: (call) =>
        subtaskOf(call) === 'b' && calls++ === 0
          ? [fails(fault('overloaded', 'Busy.', { retryable: true }))]
          : [delta('text'), done()],
    });
    const { rows, total } = costsOf(run, events);
    expect(rows.map(({ kind, worker, attempts }) => [kind, worker?.name ?? null, attempts])).toEqual([
      ['plan', null, 0],
      ['step', 'Alder', 1],
      ['step', 'Birch', 2],
    ]);
    expect(rows[1]?.usd).toBeGreaterThan(0);
    expect(total.attempts).toBe(3);
    expectSameSum(run, events);
  });

  it('have a row without costs for a step whose worker was not called', () => {
    const run = scriptedRun({ pool: POOL, rounds: [{ steps: [{ worker: 0 }] }], end: 'cancelled' });
    expect(costsOf(run, []).rows[1]).toMatchObject({ kind: 'step', attempts: 0, usd: 0, time: null });
  });
});
