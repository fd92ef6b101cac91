import { expect, test } from 'vitest';
import { capStopOf } from '../../../src/app/state/stopped-by-cap';
import type { Run } from '../../../src/core/contract';
import { scriptedRun } from '../scripted-runs';

/** A failed run of three steps, of which the first has an output. */
function stopped(capReached: Run['capReached'], spent: Partial<Run['spent']> = {}): Run {
  const run = scriptedRun({
    rounds: [{ steps: [{ worker: 0, start: 10, first: 20, end: 30, output: 'One.' }, { worker: 1 }, { worker: 2 }] }],
    end: 'failed',
  });
  const fault = { code: 'cap-reached', message: '', retryable: false } as const;
  return { ...run, capReached, fault, spent: { ...run.spent, ...spent } };
}

test.each<[NonNullable<Run['capReached']>, Partial<Run['spent']>, number]>([
  [{ cap: 'calls', limit: 1, wanted: 2 }, { calls: 1 }, 3],
  [{ cap: 'usd', limit: 0.01, wanted: 0.0131 }, { usd: 0.004 }, 0.023],
  [{ cap: 'tokens', limit: 2000, wanted: 4101 }, { input: 400, output: 600 }, 7300],
])('suggests a cap that is high enough for the remaining steps: %o', (capReached, spent, suggested) => {
  expect(capStopOf(stopped(capReached, spent))).toEqual({
    cap: capReached.cap,
    isDaily: false,
    limit: capReached.limit,
    suggested,
  });
});

test('recognizes the daily budget, and ignores the cap on rounds and runs that no cap stopped', () => {
  expect(capStopOf(stopped({ cap: 'usd', limit: 1, wanted: 2, day: true }))?.isDaily).toBe(true);
  expect(capStopOf(stopped({ cap: 'rounds', limit: 1, wanted: 2 }))).toBeNull();
  expect(capStopOf(stopped(null))).toBeNull();
  expect(capStopOf({ ...stopped({ cap: 'calls', limit: 1, wanted: 2 }), fault: null })).toBeNull();
});
