/** @file Fills stores with runs, for tests of run lists. */
import type { RunStarted } from '../../src/core/contract';
import { finishedRunBodies, runStarted, stampEvents } from '../fixtures/run-events';
import { MemoryStore } from '../fixtures/memory-store';

/** Stores a finished run that started at `at` (ms since the epoch). */
export async function keepRun(
  store: MemoryStore,
  runId: string,
  at: number,
  question = `Question ${runId}`,
  more: Partial<RunStarted> = {},
) {
  const [, ...rest] = finishedRunBodies();
  const bodies = [runStarted({ question: { text: question }, ...more }), ...rest];
  for (const event of stampEvents(bodies, { runId, at })) await store.append(event);
}

/** A store with `count` runs that started a minute apart and have not finished. `run-0` is the newest. */
export async function storeOf(count: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (let index = 0; index < count; index++) {
    const at = 1_760_000_000_000 - index * 60_000;
    const body = runStarted({ question: { text: `Question ${index}` } });
    for (const event of stampEvents([body], { runId: `run-${index}`, at })) await store.append(event);
  }
  return store;
}
