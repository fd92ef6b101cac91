/**
 * @file Plays one row of the fault matrix: a run with two steps, in which `Steady` answers the first step, and the fault occurs in
 * the second. Checks the results, and returns them as a row.
 */
import { expect } from 'vitest';
import type { LiveRun } from '../../../src/core/runs/live-run';
import { plain, type FaultRow } from '../../fixtures/faults/fault-row';
import { POOL, type Row, type WayToResume } from '../../fixtures/faults/fault-rows';
import { RIGHT_KEY } from '../../fixtures/openai-scenarios';
import type { FaultStage } from './fault-stage';

/** What a test does with the server. */
export interface FaultPlayer {
  /** Sets the scenario of the worker with the fault, before the run is resumed. */
  readonly script: (scenario: 'ok' | 'wrong-key') => void | Promise<void>;
  /** Lets the fault occur. Resolves at the latest when the run has ended. */
  readonly steer?: (live: LiveRun) => Promise<void>;
}

export async function playRow(row: Row, stage: FaultStage, { script, steer }: FaultPlayer): Promise<FaultRow> {
  const { calls = 1, output = '' } = row;
  const { runs, start } = stage.tab();
  const live = await start();
  const steering = steer?.(live);
  await live.done;
  await steering;

  const run = await stage.stored(live.id);
  const [first, second] = run.rounds[0]?.steps ?? [];
  expect(first?.status).toBe('finished');
  const received = second?.attempts.at(-1)?.output;
  expect(received).toEqual(typeof output === 'string' ? output : expect.stringMatching(output));
  expect(stage.calls).toEqual({ planner: 1, 'ok@steady': 1, desk: calls });
  const retries = (second?.attempts ?? []).slice(0, -1).map(({ fault }) => fault?.message ?? '');
  const partial = row.code !== undefined && output !== '' ? `; of step 2: “${received}”` : '';
  const record = {
    fault: row.fault,
    called: `${calls} ×${row.resent ? ', and perhaps each once more by the browser' : ''}`,
  };

  if (row.code === undefined) {
    expect(run).toMatchObject({ status: 'finished', answer: received });
    expect(retries.join(' ')).toMatch(row.reads ?? /^$/);
    const read = [...retries.map((sentence) => `${sentence} Retrying.`), 'The answer.'].join(' ');
    return { ...record, read: plain(read), kept: 'both steps', again: 'nothing' };
  }
  expect(second).toMatchObject({ status: 'failed', fault: { code: row.code } });
  expect(run).toMatchObject({ status: 'failed', fault: { code: row.code } });
  const read = run.fault?.message ?? '';
  expect(read).toMatch(row.reads ?? /./);

  await script(row.needsKey ? 'wrong-key' : 'ok');
  const again = await fixAndResume(stage, runs, live.id, row);
  return { ...record, read: plain(read), kept: `step 1${partial}`, again };
}

/**
 * Fixes the second step, and resumes the failed run.
 * @returns the button on the page and the repeated step, for the matrix
 */
async function fixAndResume(
  stage: FaultStage,
  runs: ReturnType<FaultStage['tab']>['runs'],
  runId: string,
  { needsOtherWorker, needsKey }: WayToResume,
): Promise<string> {
  stage.recount();
  if (needsOtherWorker) {
    const steps = (await stage.stored(runId)).rounds[0]?.plan?.workflow?.steps ?? [];
    const workflow = {
      steps: steps.map((step, index) => (index === 1 ? { ...step, worker: POOL.indexOf('Steady') } : step)),
    };
    const fork = await (await runs.fork(runId, { round: 0, step: 1, workflow })).done;
    expect(fork.status).toBe('finished');
    expect(fork.rounds[0]?.steps.map(({ status }) => status)).toEqual(['reused', 'finished']);
    expect(stage.calls).toEqual({ planner: 0, 'ok@steady': 1, desk: 0 });
    return '“Continue” with another worker: step 2, once';
  }
  if (needsKey) stage.enterKey('Desk', RIGHT_KEY);
  const resumed = await (await runs.resume(runId)).done;
  expect(resumed.status).toBe('finished');
  expect(stage.calls).toEqual({ planner: 0, 'ok@steady': 0, desk: 1 });
  return `“${needsKey ? 'Save and resume' : 'Try again'}”: step 2, once`;
}
