/**
 * @file Tests a second tab, and jumps of the system’s clock, during a run of the fault matrix. The results must match
 * docs/fault-matrix.md. The command `npm run faults` writes that file.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LiveRun } from '../../../src/core/runs/live-run';
import { FIRST_WORDS } from '../../fixtures/fault-replies';
import { compareRow } from '../../fixtures/faults/fault-lines';
import type { FaultRow } from '../../fixtures/faults/fault-row';
import { JUMPS, jumpBy, QUESTION, SECOND_TAB } from '../../fixtures/faults/fault-rows';
import { ADVICE } from '../../fixtures/faults/fault-table';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { textReply } from '../../fixtures/plans';
import { FaultStage } from './fault-stage';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

function matchRow(row: FaultRow): void {
  const { stored, line } = compareRow(row);
  expect(stored, ADVICE).toBe(line);
}

/** Starts a run, and waits until the first words of its second step have arrived. */
async function beginSlowly(): Promise<{ readonly stage: FaultStage; readonly live: LiveRun }> {
  const stage = new FaultStage(server, 'Desk');
  server.script('planner', textReply(stage.planned));
  server.script('desk', 'slow');
  const live = await stage.tab().start();
  await vi.waitUntil(() => live.run.rounds[0]?.steps[1]?.attempts.at(-1)?.output === FIRST_WORDS, {
    interval: 1,
    timeout: 20_000,
  });
  return { stage, live };
}

test(SECOND_TAB, async () => {
  const { stage, live } = await beginSlowly();
  const { calls } = stage;
  expect(calls).toEqual({ planner: 1, 'ok@steady': 1, desk: 1 });
  const other = stage.tab();
  expect(await other.runs.recover(), 'the run counts as interrupted').toEqual([]);
  const { summaries } = await stage.store.summaries({ limit: 2 });
  expect(summaries).toMatchObject([{ id: live.id, question: QUESTION, status: 'running' }]);
  server.release();
  expect(await live.done).toMatchObject({ status: 'finished', answer: 'The first words and the last.' });
  expect((await stage.store.read(live.id)).at(-1)?.type).toBe('run-finished');
  expect(await other.runs.recover()).toEqual([]);
  expect(stage.calls).toEqual(calls);
  matchRow({
    fault: SECOND_TAB,
    read: 'The answer, in the first tab. The second tab lists the run, but not as interrupted.',
    kept: 'both steps',
    called: '1 ×',
    again: 'nothing',
  });
});

for (const hours of JUMPS) {
  test(jumpBy(hours), async () => {
    const { stage, live } = await beginSlowly();
    stage.jump(hours * 3_600_000);
    server.release();
    expect(await live.done).toMatchObject({ status: 'finished', answer: 'The first words and the last.' });
    const events = await stage.store.read(live.id);
    expect(events.at(-1)?.type).toBe('run-finished');
    expect(Math.abs((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)), 'the clock has jumped').toBeGreaterThan(
      3_000_000,
    );
    const times = events.map(({ elapsed }) => elapsed);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1), 'the skipped hour does not count as elapsed time').toBeLessThan(600_000);
    expect(stage.calls).toEqual({ planner: 1, 'ok@steady': 1, desk: 1 });
    const { summaries } = await stage.store.summaries({ limit: 2 });
    expect(summaries).toMatchObject([{ id: live.id, question: QUESTION, status: 'finished' }]);
    matchRow({ fault: jumpBy(hours), read: 'The answer.', kept: 'both steps', called: '1 ×', again: 'nothing' });
  });
}
