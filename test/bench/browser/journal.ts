/**
 * @file Compares how fast Podium's journal (the store of a run's events) and bare IndexedDB records store the same events. The
 * contenders take turns.
 */
import { deleteDB, openDB, type IDBPDatabase } from 'idb';
import { SCHEMA, SETTING_DEFAULTS, type EventBody, type RunEvent } from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { median, table, type Print } from '../report';
import { benchPool, withDatabase } from './database';

const TURNS = 5;
const GROUP = 20;
const STEPS = 5;
/** Number of deltas in 5 s of a stream with a delta every 50 ms. */
const DELTAS = 100;
/** Text of each delta. An event with this text is about 300 bytes of JSON. */
const DELTA_TEXT = 'token '.repeat(25);
/** Number of runs that are written one after the other for each sample. */
const RUNS = 4;

/** A way to store a run's events. */
interface Contender {
  readonly name: string;
  /** The contender that this one is compared with. */
  readonly floor?: Contender;
  write(events: readonly RunEvent[]): Promise<void>;
}

export function benchJournal(print: Print): Promise<void> {
  return withDatabase(async (database, name) => {
    const bareName = `${name}-bare`;
    const bare = await openBare(bareName);
    try {
      await compare(database, bare, print);
    } finally {
      bare.close();
      await deleteDB(bareName);
    }
  });
}

async function compare(database: Database, bare: IDBPDatabase, print: Print): Promise<void> {
  const store = createRunStore(database);
  const events = runEvents('size');
  const bytes = JSON.stringify(events.find(({ type }) => type === 'step-delta')).length;
  const strict = events.filter(isAwaited).length;

  const chunked = withTheSameWaits('bare, 20 events a record, the same waits', (group) => {
    return putChunks(bare, group, group.some(isAwaited) ? 'strict' : 'relaxed');
  });
  const ours: Contender = {
    name: 'Podium',
    floor: chunked,
    async write(all) {
      for (const event of all) {
        const kept = store.append(event);
        if (isAwaited(event)) await kept;
      }
      await store.flush();
    },
  };
  const contenders = [
    ours,
    chunked,
    inGroups('bare, 20 events a record, relaxed', (group) => putChunks(bare, group, 'relaxed')),
    inGroups('bare, 20 events a record, strict', (group) => putChunks(bare, group, 'strict')),
    inGroups('bare, one record an event, 20 a transaction, relaxed', (group) => putEach(bare, group, 'relaxed')),
    inGroups('bare, one record an event, 20 a transaction, strict', (group) => putEach(bare, group, 'strict')),
  ];

  const rates = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [place, contender] of contenders.entries()) {
      const runs = Array.from({ length: RUNS }, (_, index) => runEvents(`${turn}-${place}-${index}`));
      const before = performance.now();
      for (const run of runs) await contender.write(run);
      rates.get(contender)?.push((RUNS * events.length * 1000) / (performance.now() - before));
    }
  }

  const rate = (contender: Contender) => median(rates.get(contender) ?? []);
  const rows = contenders.map((contender) => [
    contender.name,
    Math.round(rate(contender)).toLocaleString('en'),
    contender.floor ? `${(rate(contender) / rate(contender.floor)).toFixed(2)} ×` : '',
  ]);
  const share = ((100 * strict) / events.length).toFixed(1);
  const title = `Journal: runs of ${events.length} events, deltas of ${bytes} bytes, ${share} % of the events strict and awaited`;
  table(print, `${title} (aim: 25,000 events/s, 0.9 × bare)`, ['', 'events/s', 'to bare'], rows);
}

/**
 * Whether a contender waits until this event is stored. The executor waits for nearly the same events. It
 * also waits for the plan, but not for the run's first event.
 */
function isAwaited({ type }: RunEvent): boolean {
  return type === 'run-started' || type === 'step-started' || type === 'step-finished' || type === 'run-finished';
}

/** The events of a run whose five steps run one after the other. */
function runEvents(runId: string): RunEvent[] {
  const steps = Array.from({ length: STEPS }, (_, worker) => ({
    worker,
    subtask: 'Solve it. '.repeat(20),
    access: [],
  }));
  const conductor = { id: 'by-hand', label: 'Written by hand', kind: 'by-hand' } as const;
  const bodies: EventBody[] = [
    {
      type: 'run-started',
      schema: SCHEMA,
      question: { text: 'A question' },
      pool: benchPool(STEPS),
      conductor,
      recursion: false,
      maxSteps: STEPS,
      seed: 1,
      caps: { rounds: 1, calls: 16, tokens: null, usd: null },
      sampling: { temperature: 0.2, maxTokens: 4096 },
      ...SETTING_DEFAULTS,
    },
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor, messages: [] },
    {
      type: 'plan-finished',
      round: 0,
      workflow: { steps },
      thought: '',
      text: '',
      source: 'person',
      usage: null,
      cost: null,
      finishReason: null,
    },
    ...steps.flatMap((_, step) => stepEvents(step)),
    { type: 'round-finished', round: 0, outcome: 'answered' },
    { type: 'run-finished', round: 0, step: STEPS - 1 },
  ];
  return bodies.map((body, seq) => ({ runId, seq, at: 1_760_000_000_000 + seq, segment: 0, elapsed: seq, ...body }));
}

function stepEvents(step: number): EventBody[] {
  const key = { round: 0, step, attempt: 0 };
  const delta = { type: 'step-delta', ...key, channel: 'content', text: DELTA_TEXT } as const;
  return [
    { type: 'step-queued', ...key },
    { type: 'step-started', ...key, workerId: `bench:${step}`, messages: [], sha256: '0'.repeat(64) },
    ...Array.from({ length: DELTAS }, () => delta),
    {
      type: 'step-finished',
      ...key,
      output: DELTA_TEXT.repeat(DELTAS),
      reasoning: '',
      usage: { input: 100, output: 9000 },
      cost: 0,
      finishReason: 'stop',
    },
  ];
}

function openBare(name: string): Promise<IDBPDatabase> {
  return openDB(name, 1, {
    upgrade(database) {
      database.createObjectStore('chunks');
      database.createObjectStore('events');
    },
  });
}

/**
 * Returns a contender that waits for the same events as Podium. Each transaction writes an awaited event and
 * all events before it that are not stored yet.
 */
function withTheSameWaits(name: string, write: (group: readonly RunEvent[]) => Promise<void>): Contender {
  return {
    name,
    async write(events) {
      let group: RunEvent[] = [];
      for (const event of events) {
        group.push(event);
        if (!isAwaited(event)) continue;
        await write(group);
        group = [];
      }
      if (group.length > 0) await write(group);
    },
  };
}

function inGroups(name: string, write: (group: readonly RunEvent[]) => Promise<void>): Contender {
  return {
    name,
    async write(events) {
      for (let first = 0; first < events.length; first += GROUP) await write(events.slice(first, first + GROUP));
    },
  };
}

async function putChunks(
  database: IDBPDatabase,
  events: readonly RunEvent[],
  durability: IDBTransactionDurability,
): Promise<void> {
  const transaction = database.transaction('chunks', 'readwrite', { durability });
  for (let first = 0; first < events.length; first += GROUP) {
    const chunk = events.slice(first, first + GROUP);
    void transaction.store.put(chunk, [chunk[0]?.runId ?? '', chunk[0]?.seq ?? 0]);
  }
  await transaction.done;
}

async function putEach(
  database: IDBPDatabase,
  events: readonly RunEvent[],
  durability: IDBTransactionDurability,
): Promise<void> {
  const transaction = database.transaction('events', 'readwrite', { durability });
  for (const event of events) void transaction.store.put(event, [event.runId, event.seq]);
  await transaction.done;
}
