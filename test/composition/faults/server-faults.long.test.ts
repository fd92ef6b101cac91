/**
 * @file Tests each fault of the fault matrix that needs no browser: the message, the results that are kept, and the calls that are
 * repeated. The results must match docs/fault-matrix.md. The command `npm run faults` writes that file.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LiveRun } from '../../../src/core/runs/live-run';
import { FIRST_WORDS } from '../../fixtures/fault-replies';
import { compareRow, storedLines } from '../../fixtures/faults/fault-lines';
import { ADVICE } from '../../fixtures/faults/fault-table';
import { FAULTS, LONG_SILENCE, ROWS, TRICKLE, type Meanwhile } from '../../fixtures/faults/fault-rows';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { textReply } from '../../fixtures/plans';
import { FaultStage } from './fault-stage';
import { playRow } from './play-row';

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
  if (row.inBrowser !== undefined) continue;
  test(row.fault, async () => {
    const stage = new FaultStage(server, row.worker ?? 'Desk');
    server.script('planner', textReply(stage.planned));
    server.script('desk', row.reply ?? 'ok');
    const played = await playRow(row, stage, {
      script: (scenario) => server.script('desk', scenario),
      steer: (live) => steer(stage, live, row.meanwhile ?? null),
    });
    const { stored, line } = compareRow(played);
    expect(stored, ADVICE).toBe(line);
  });
}

test('docs/fault-matrix.md has exactly one row for each fault', () => {
  expect(storedLines().map((line) => line.split(' | ')[0])).toEqual(FAULTS.map((fault) => `| ${fault}`));
});

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
