/**
 * @file Tests each fault of the fault matrix that needs no browser: the message, the results that are kept, and the calls that are
 * repeated. Each run has two steps. The worker `Steady` answers the first step. The fault occurs in the second. The results must
 * match docs/fault-matrix.md. The command `npm run faults` writes that file.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LiveRun } from '../../../src/core/runs';
import { FIRST_WORDS } from '../../fixtures/fault-replies';
import { compareRow, plain } from '../../fixtures/faults/fault-lines';
import { LONG_SILENCE, POOL, ROWS, TRICKLE, type Meanwhile, type WayToResume } from '../../fixtures/faults/fault-rows';
import { RIGHT_KEY } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { FaultStage } from './fault-stage';

/** Without this time limit, `waitUntil` fails after a second, which is too short for a busy machine. */
const WAIT = { interval: 1, timeout: 150_000 };

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
  // Messages name the page’s address.
  vi.stubGlobal('location', new URL('http://127.0.0.1'));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

for (const row of ROWS) {
  if (row.inPage === 'only') continue;
  const { worker = 'Desk', calls = 1, output = '', meanwhile = null } = row;
  test(row.fault, async () => {
    const stage = new FaultStage(server, worker);
    server.script('desk', row.reply ?? 'ok');
    const { runs, start } = stage.tab();
    const live = await start();
    const steering = steer(stage, live, meanwhile);
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
      matchRow({ ...record, read: plain(read), kept: 'both steps', again: 'nothing' });
      return;
    }
    expect(second).toMatchObject({ status: 'failed', fault: { code: row.code } });
    expect(run).toMatchObject({ status: 'failed', fault: { code: row.code } });
    const read = run.fault?.message ?? '';
    expect(read).toMatch(row.reads ?? /./);

    const again = await fixAndResume(stage, runs, live.id, row);
    matchRow({ ...record, read: plain(read), kept: `step 1${partial}`, again });
  });
}

function matchRow(row: Parameters<typeof compareRow>[0]): void {
  const { stored, line } = compareRow(row);
  expect(stored, 'If the new row is right, run npm run faults').toBe(line);
}

/** Lets the fault occur: lets the server continue, or advances the clock of the calls. */
async function steer(stage: FaultStage, live: LiveRun, meanwhile: Meanwhile | null): Promise<void> {
  if (meanwhile === null) return;
  const isOver = () => live.run.status !== 'running';
  if (meanwhile === 'silence') {
    await vi.waitUntil(() => isOver() || stage.calls.desk > 0, WAIT);
    await vi.waitUntil(() => isOver() || server.calls('desk').some(({ ending }) => ending === null), WAIT);
    await stage.callClock.advance(LONG_SILENCE);
    return;
  }
  const output = () => live.run.rounds[0]?.steps[1]?.attempts.at(-1)?.output;
  await vi.waitUntil(() => isOver() || output() === FIRST_WORDS, WAIT);
  if (meanwhile === 'cut') server.release();
  if (meanwhile === 'silence after words') await stage.callClock.advance(LONG_SILENCE);
  while (meanwhile === 'trickle' && !isOver()) {
    await stage.releasePiece();
    await stage.callClock.advance(TRICKLE);
  }
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
  server.script('desk', needsKey ? 'wrong-key' : 'ok');
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
