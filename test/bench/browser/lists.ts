/**
 * @file Benchmarks a list of many runs: the time to load one page of the list, the longest block of the main
 * thread while all pages load, and the time to delete a run.
 */
import { openDB } from 'idb';
import {
  foldEvents,
  SCHEMA,
  SETTING_DEFAULTS,
  summarize,
  type EventBody,
  type RunEvent,
  type RunSummary,
} from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import type { PodiumSchema } from '../../../src/platform/store/migrations';
import { createRunStore, type IndexedRunStore } from '../../../src/platform/store/run-store';
import { median, table, type Print } from '../report';
import { watchGaps } from '../index/watch-gaps';
import { benchPool, withDatabase } from './database';

const RUNS = 100_000;
const PAGE = 50;
/** A search reads pages of this many runs. */
const SEARCH_PAGE = 500;
const BATCH = 2_000;
const RUN_EVENTS = 500;
const BEGAN = 1_760_000_000_000;

export function benchLists(print: Print): Promise<void> {
  return withDatabase(async (database, name) => {
    const store = createRunStore(database);
    await fill(database, store, name);
    const first = await medianTime(20, () => store.summaries({ limit: PAGE }));
    const all = await readAll(store);
    const middle = await medianTime(20, () => store.summaries({ limit: PAGE, after: all.middle }));
    const deleted = await medianDeletion(store);
    const rows = [
      [`first ${PAGE}`, `${first.toFixed(2)} ms`, '1 ms'],
      [`${PAGE} in the middle`, `${middle.toFixed(2)} ms`, '2 ms'],
      [`all, ${SEARCH_PAGE} a page`, `${all.elapsed.toFixed(0)} ms`, ''],
      ['… longest block of the main thread', `${all.longestGap.toFixed(0)} ms`, '50 ms'],
      [`delete a run of ${RUN_EVENTS} events`, `${deleted.toFixed(2)} ms`, '5 ms'],
    ];
    table(print, `Lists: ${RUNS.toLocaleString('en')} runs`, ['', 'median', 'target (maximum)'], rows);
  });
}

/** Writes the summaries directly, because writing so many runs event by event would take minutes. */
async function fill(database: Database, store: IndexedRunStore, name: string): Promise<void> {
  await store.count();
  database.close();
  const connection = await openDB<PodiumSchema>(name);
  const model = summaryOf(runEvents('model', 0, 5));
  for (let first = 0; first < RUNS; first += BATCH) {
    const transaction = connection.transaction(['summaries', 'counts'], 'readwrite', { durability: 'relaxed' });
    const summaries = transaction.objectStore('summaries');
    for (let index = first; index < first + BATCH; index++) {
      const summary = { ...model, id: `run-${index}`, startedAt: BEGAN + index * 1000 };
      void summaries.put(summary, [-summary.startedAt, summary.id]);
    }
    void transaction.objectStore('counts').put(first + BATCH, 'runs');
    await transaction.done;
  }
  connection.close();
}

async function medianTime(times: number, work: () => Promise<unknown>): Promise<number> {
  const elapsed: number[] = [];
  for (let time = 0; time < times; time++) {
    const before = performance.now();
    await work();
    elapsed.push(performance.now() - before);
  }
  return median(elapsed);
}

async function readAll(
  store: IndexedRunStore,
): Promise<{ elapsed: number; longestGap: number; middle: string | null }> {
  const watch = watchGaps();
  const before = performance.now();
  let read = 0;
  let middle: string | null = null;
  let after: string | null = null;
  do {
    const page: { summaries: readonly RunSummary[]; next: string | null } = await store.summaries({
      limit: SEARCH_PAGE,
      after,
    });
    read += page.summaries.length;
    after = page.next;
    if (middle === null && read >= RUNS / 2) middle = after;
  } while (after !== null);
  if (read !== RUNS) throw new Error(`${read} of ${RUNS} runs were listed.`);
  return { elapsed: performance.now() - before, longestGap: watch.stop(), middle };
}

async function medianDeletion(store: IndexedRunStore): Promise<number> {
  const elapsed: number[] = [];
  for (let time = 0; time < 10; time++) {
    const runId = `long-${time}`;
    await store.addRuns([runEvents(runId, RUNS + time, RUN_EVENTS)]);
    const before = performance.now();
    await store.delete(runId);
    elapsed.push(performance.now() - before);
  }
  return median(elapsed);
}

function summaryOf(events: readonly RunEvent[]): RunSummary {
  const run = foldEvents(events);
  if (!run) throw new Error('These events hold no run.');
  return summarize(run);
}

/** Makes `count` events of a run that has one step. */
function runEvents(runId: string, place: number, count: number): RunEvent[] {
  const conductor = { id: 'by-hand', label: 'Written by hand', kind: 'by-hand' } as const;
  const start: EventBody = {
    type: 'run-started',
    schema: SCHEMA,
    question: { text: 'A question of about the length that people tend to ask, with a number or two in it.' },
    pool: benchPool(3),
    conductor,
    recursion: false,
    maxSteps: 5,
    seed: 1,
    caps: { rounds: 1, calls: 16, tokens: null, usd: null },
    sampling: { temperature: 0.2, maxTokens: 4096 },
    ...SETTING_DEFAULTS,
  };
  const workflow = { steps: [{ worker: 0, subtask: 'Solve it', access: [] }] };
  const key = { round: 0, step: 0, attempt: 0 };
  const delta: EventBody = { type: 'step-delta', ...key, channel: 'content', text: 'token '.repeat(28) };
  const bodies: EventBody[] = [
    start,
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor, messages: [] },
    {
      type: 'plan-finished',
      round: 0,
      workflow,
      thought: '',
      text: '',
      source: 'person',
      usage: null,
      cost: null,
      finishReason: null,
    },
    { type: 'step-started', ...key, workerId: 'bench:0', messages: [], sha256: '0'.repeat(64) },
  ];
  while (bodies.length < count - 1) bodies.push(delta);
  bodies.push({ type: 'run-cancelled' });
  return bodies.map((body, seq) => ({ runId, seq, at: BEGAN + place * 1000 + seq, segment: 0, elapsed: seq, ...body }));
}
