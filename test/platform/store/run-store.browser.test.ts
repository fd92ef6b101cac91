import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  FaultError,
  foldEvents,
  sha256Hex,
  summarize,
  type EventBody,
  type PromptMessage,
  type RunEvent,
  type StoredEvent,
} from '../../../src/core/contract';
import { RUN_STORES, type Database } from '../../../src/platform/store/database';
import { createRunStore, type IndexedRunStore } from '../../../src/platform/store/run-store';
import { endedRun } from '../../fixtures/run-arbitrary';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { testDatabase } from './harness';

const appendAll = (store: IndexedRunStore, events: readonly RunEvent[]) =>
  Promise.all(events.map((event) => store.append(event)));
const finishedRun = (runId: string, at?: number) => stampEvents(finishedRunBodies(), at ? { runId, at } : { runId });
/** A run whose first two steps are streaming. */
const runningRun = (runId: string) => finishedRun(runId).slice(0, 13);
const following = (events: readonly StoredEvent[], body: EventBody): RunEvent => {
  const last = events.at(-1);
  if (!last) throw new Error('There is nothing to follow.');
  const { runId, seq, at, segment, elapsed } = last;
  return { ...body, runId, seq: seq + 1, at: at + 1, segment, elapsed };
};

/** Returns the stored records. */
function dump(database: Database) {
  return database.transact(RUN_STORES, 'readonly', async (transaction) => ({
    keys: await transaction.objectStore('chunks').getAllKeys(),
    chunks: await transaction.objectStore('chunks').getAll(),
    blobs: await transaction.objectStore('blobs').getAll(),
    summaries: await transaction.objectStore('summaries').count(),
  }));
}

function watchTransactions() {
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
  onTestFinished(() => spy.mockRestore());
  return spy;
}

describe('reading many runs', () => {
  it('takes one transaction, and returns no events for unreadable and missing runs', async () => {
    const store = createRunStore(testDatabase());
    const newer = stampEvents([runStarted({ schema: 99 })], { runId: 'newer' });
    await store.addRuns([finishedRun('run-1'), newer, finishedRun('run-2')]);
    const transactions = watchTransactions();
    const read = await store.readMany(['run-2', 'newer', 'nobody', 'run-1']);
    expect(transactions).toHaveBeenCalledTimes(1);
    expect(read).toEqual([await store.read('run-2'), [], [], await store.read('run-1')]);
  });
});

describe('appending', () => {
  it('keeps the events of each run in order when many runs are written at the same time', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const runs = Array.from({ length: 12 }, (_, index) => finishedRun(`run-${index}`));
    const length = Math.max(...runs.map((run) => run.length));
    const written: string[] = [];
    const appends: Promise<void>[] = [];
    for (let index = 0; index < length; index++) {
      for (const event of runs.flatMap((run) => run[index] ?? [])) {
        appends.push(store.append(event).then(() => void written.push(`${event.runId} ${event.seq}`)));
      }
      // Waits now and then, so that the store writes batches of different sizes.
      if (index % 3 === 0) await appends.at(-1);
    }
    await Promise.all(appends);
    for (const run of runs) {
      const mine = written.filter((line) => line.startsWith(`${run[0]?.runId} `));
      expect(mine).toEqual(run.map(({ runId, seq }) => `${runId} ${seq}`));
      expect(foldEvents(await store.read(run[0]?.runId ?? ''))).toEqual(foldEvents(run));
    }
    expect(await store.count()).toBe(12);
  });

  it('resolves once another connection to the database can read the event', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const [start] = finishedRun('run-1');
    if (start) await store.append(start);
    database.close();
    expect(await createRunStore(testDatabase({ name: database.name })).read('run-1')).toEqual([start]);
  });

  it('writes concurrent events in one transaction and few records', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    await store.count();
    const spy = watchTransactions();
    const start = runningRun('run-1');
    const delta = start.at(-1);
    if (!delta) throw new Error('The run has no delta.');
    const deltas = Array.from({ length: 200 }, (_, index) => ({ ...delta, seq: start.length + index }));
    await appendAll(store, [...start, ...deltas]);
    expect(spy).toHaveBeenCalledTimes(1);
    const { chunks } = await dump(database);
    expect(chunks.map((chunk) => chunk.length)).toEqual([64, 64, 64, 21]);
  });

  it('collects single events into longer records', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const start = runningRun('run-1');
    await appendAll(store, start);
    const delta = start.at(-1);
    if (!delta) throw new Error('The run has no delta.');
    for (let index = 0; index < 45; index++) await store.append({ ...delta, seq: start.length + index });
    const { chunks } = await dump(database);
    expect(chunks.length).toBeLessThanOrEqual(4);
    expect((await store.read('run-1')).map(({ seq }) => seq)).toEqual(Array.from({ length: 58 }, (_, seq) => seq));
  });

  it('uses strict durability for the start and end of runs and calls, and relaxed durability for other events', async () => {
    const store = createRunStore(testDatabase());
    await store.count();
    const spy = watchTransactions();
    const strict: string[] = [];
    const relaxed: string[] = [];
    for (const event of finishedRun('run-1')) {
      spy.mockClear();
      await store.append(event);
      const durability = spy.mock.calls[0]?.[2]?.durability;
      (durability === 'strict' ? strict : relaxed).push(event.type);
    }
    const ends = ['run-started', 'run-finished'];
    const calls = ['plan-started', 'plan-finished', 'step-started', 'step-finished'];
    expect(new Set(strict)).toEqual(new Set([...ends, ...calls]));
    expect(new Set(relaxed)).toContain('step-delta');
    expect(relaxed).not.toContain('step-finished');
  });

  it('uses strict durability for plan calls and for ends of waits, but not for starts of waits', async () => {
    const store = createRunStore(testDatabase());
    const [begun] = runningRun('run-1');
    if (!begun) throw new Error('The run has no beginning.');
    const conductor = runStarted().conductor;
    const key = { round: 0, step: 0, attempt: 0 };
    const nothing = { usage: null, cost: null };
    const bodies: EventBody[] = [
      { type: 'round-started', round: 0 },
      { type: 'plan-started', round: 0, conductor, messages: [] },
      { type: 'plan-waiting', round: 0, for: 'limit', delay: 10 },
      { type: 'plan-waiting', round: 0, for: null, delay: null },
      { type: 'plan-retried', round: 0, problem: null, fault: null, text: '', next: 'stricter', ...nothing },
      { type: 'plan-candidate', round: 0, candidate: 0, workflow: null, problem: null, text: '', ...nothing },
      { type: 'step-waiting', ...key, for: 'place', delay: null },
      { type: 'step-waiting', ...key, for: null, delay: null },
    ];
    await store.append(begun);
    const spy = watchTransactions();
    const written: (string | undefined)[] = [];
    let events: StoredEvent[] = [begun];
    for (const body of bodies) {
      const event = following(events, body);
      events = [...events, event];
      spy.mockClear();
      await store.append(event);
      written.push(spy.mock.calls[0]?.[2]?.durability);
    }
    const [no, yes] = ['relaxed', 'strict'];
    expect(written).toEqual([no, yes, no, yes, yes, yes, no, yes]);
  });

  it('continues a run that another session wrote', async () => {
    const database = testDatabase();
    const events = finishedRun('run-1');
    await appendAll(createRunStore(database), events);
    database.close();
    const store = createRunStore(testDatabase({ name: database.name }));
    await store.append(following(events, { type: 'run-graded', correct: true, by: 'person', detail: '' }));
    expect(await store.summary('run-1')).toMatchObject({ correct: true, status: 'finished' });
    expect(foldEvents(await store.read('run-1'))?.grade?.correct).toBe(true);
    expect(await store.count()).toBe(1);
  });

  it('continues after events that another tab appended, not from its cached state', async () => {
    const database = testDatabase();
    const here = createRunStore(database);
    const events = runningRun('run-1');
    await appendAll(here, events);
    const there = createRunStore(testDatabase({ name: database.name }));
    const interrupted = following(events, { type: 'run-interrupted' });
    await there.append(interrupted);
    const resumed = following([...events, interrupted], { type: 'run-resumed' });
    await here.append(resumed);
    expect((await here.read('run-1')).slice(-2)).toEqual([interrupted, resumed]);
  });

  it('accepts events that are already stored, and stores them only once', async () => {
    const store = createRunStore(testDatabase());
    const events = finishedRun('run-1');
    await appendAll(store, events);
    await appendAll(store, events.slice(-2));
    expect(await store.read('run-1')).toHaveLength(events.length);
    expect(await store.count()).toBe(1);
  });

  it('rejects an event that does not follow the last stored event, and writes the other events', async () => {
    const store = createRunStore(testDatabase());
    const events = runningRun('run-1');
    await appendAll(store, events);
    const other = { type: 'run-labelled', label: 'x', on: true } as const;
    const late = store.append({ ...following(events.slice(0, 3), other), at: 1 });
    const ahead = store.append({ ...following(events, other), seq: 99 });
    const fine = store.append(following(events, { type: 'run-cancelled' }));
    await expect(late).rejects.toThrow(/changed in another tab/);
    await expect(ahead).rejects.toThrow(/earlier part/);
    await fine;
    expect(foldEvents(await store.read('run-1'))?.status).toBe('cancelled');
    expect(await store.read('run-1')).toHaveLength(events.length + 1);
  });
});

describe('appending when storage fails', () => {
  /** Lets the first `after` writes succeed. Makes all later writes fail as on a full disk. */
  function fillDisk(after = 0) {
    const put = IDBObjectStore.prototype.put;
    let puts = 0;
    const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      puts += 1;
      if (puts > after) throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, args);
    });
    onTestFinished(() => spy.mockRestore());
    return spy;
  }

  it('rejects, rolls back all events of the transaction, and continues once there is space', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const events = finishedRun('run-1');
    await appendAll(store, events.slice(0, 13));
    const before = await dump(database);
    const disk = fillDisk(1);
    const outcomes = await Promise.allSettled(events.slice(13).map((event) => store.append(event)));
    disk.mockRestore();
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { fault: { code: 'storage-full' } } });
    }
    expect(await dump(database)).toEqual(before);
    await appendAll(store, events.slice(13));
    expect(foldEvents(await store.read('run-1'))).toEqual(foldEvents(events));
  });

  it('also rejects a `flush` that waits for the failed write', async () => {
    const store = createRunStore(testDatabase());
    await store.count();
    fillDisk();
    const [start] = finishedRun('run-1');
    const appended = start ? store.append(start) : Promise.resolve();
    const flushed = store.flush();
    await expect(appended).rejects.toBeInstanceOf(FaultError);
    await expect(flushed).rejects.toThrow(/full/);
    await expect(store.flush()).resolves.toBeUndefined();
  });
});

describe('storing and reading a run', () => {
  it('does not change the state of a run, although deltas shrink and texts are shared', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        endedRun(),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (events, sizes) => {
          const runId = `run-${runs++}`;
          const live = events.map((event) => ({ ...event, runId }));
          for (let from = 0, turn = 0; from < live.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            await appendAll(store, live.slice(from, from + size));
            from += size;
          }
          const { events: stored, problems } = await store.readChecked(runId);
          const run = foldEvents(live);
          expect(problems).toEqual([]);
          expect(foldEvents(stored)).toEqual(run);
          expect(await store.summary(runId)).toEqual(run && summarize(run));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stores an ended step’s text once, in its last event', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    for (const event of finishedRun('run-1')) await store.append(event);
    const text = JSON.stringify((await dump(database)).chunks);
    expect(text.split('"one ')).toHaveLength(2);
    expect(text.split('the answer')).toHaveLength(2);
    const deltas = (await store.read('run-1')).filter(({ type }) => type === 'step-delta');
    expect(deltas).toMatchObject([
      { text: '', length: 4 },
      { text: '', length: 3 },
      { text: '', length: 4 },
      { text: '' },
    ]);
  });

  it('stores a text only once if several runs share it, and inserts it when a run is read', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const prompt = 'You are the Conductor. '.repeat(20);
    const messages: PromptMessage[] = [
      { role: 'system', parts: [{ kind: 'blob', hash: sha256Hex(prompt), text: prompt }] },
      { role: 'user', parts: [{ kind: 'question' }] },
    ];
    const { conductor } = runStarted();
    const grammar = { hash: sha256Hex('root ::= "a"'), text: 'root ::= "a"' };
    const runs = ['run-1', 'run-2'].map((runId) =>
      stampEvents(
        [
          runStarted(),
          { type: 'round-started', round: 0 },
          { type: 'plan-started', round: 0, conductor, messages, grammar },
        ],
        { runId },
      ),
    );
    for (const run of runs) await appendAll(store, run);
    const { chunks, blobs } = await dump(database);
    expect(JSON.stringify(chunks)).not.toContain('You are the Conductor');
    expect(blobs.toSorted()).toEqual([prompt, grammar.text].toSorted());
    expect(await store.read('run-2')).toEqual(runs[1]);
  });

  it('leaves out unreadable events and reports them', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const events = finishedRun('run-1');
    await appendAll(store, events);
    await database.transact(RUN_STORES, 'readwrite', async (transaction) => {
      const values = (await transaction.objectStore('chunks').get(['run-1', 0])) ?? [];
      await transaction.objectStore('chunks').put(values.with(3, { type: 'plan-step-known', seq: 3 }), ['run-1', 0]);
    });
    const checked = await store.readChecked('run-1');
    expect(checked.problems).toMatchObject([{ index: 3, message: expect.stringContaining('plan-step-known') }]);
    expect(checked.events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).filter((seq) => seq !== 3));
    expect(foldEvents(checked.events)?.answer).toBe('the answer');
  });

  it('returns an empty text in place of a lost shared text, and reports the loss', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const messages: PromptMessage[] = [{ role: 'system', parts: [{ kind: 'blob', hash: 'gone', text: 'Lost words' }] }];
    const { conductor } = runStarted();
    await appendAll(
      store,
      stampEvents([
        runStarted(),
        { type: 'round-started', round: 0 },
        { type: 'plan-started', round: 0, conductor, messages },
      ]),
    );
    await database.transact(RUN_STORES, 'readwrite', (transaction) => transaction.objectStore('blobs').clear());
    const { events, problems } = await store.readChecked('run-1');
    expect(problems).toMatchObject([{ index: 2, message: expect.stringContaining('lost') }]);
    expect(foldEvents(events)?.rounds[0]?.plan?.messages[0]?.parts[0]).toMatchObject({ text: '' });
  });

  it('rejects if the run was written by a newer version of Podium', async () => {
    const store = createRunStore(testDatabase());
    await appendAll(store, stampEvents([runStarted({ schema: 99 })]));
    await expect(store.read('run-1')).rejects.toThrow(/newer version/);
  });

  it('returns nothing for a run that does not exist', async () => {
    const store = createRunStore(testDatabase());
    expect(await store.read('nobody')).toEqual([]);
    expect(await store.summary('nobody')).toBeNull();
    expect(await store.count()).toBe(0);
    expect(await store.summaries({ limit: 5 })).toEqual({ summaries: [], next: null });
  });
});

describe('lists of runs', () => {
  const many = 5000;

  async function fill(store: IndexedRunStore) {
    const bodies = [runStarted(), { type: 'run-cancelled' }] as const;
    for (let from = 0; from < many; from += 500) {
      const page = Array.from({ length: 500 }, (_, index) => {
        const number = from + index;
        // Times do not follow the order of ids, and each time belongs to two runs.
        const at = 1_700_000_000_000 + Math.floor(((number * 7919) % many) / 2) * 1000;
        return stampEvents(bodies, { runId: `run-${number}`, at });
      });
      await store.addRuns(page);
    }
  }

  it('contain each of 5,000 runs once, newest first, and read their pages without a cursor', async () => {
    const store = createRunStore(testDatabase());
    await fill(store);
    const cursors = [
      vi.spyOn(IDBObjectStore.prototype, 'openCursor'),
      vi.spyOn(IDBObjectStore.prototype, 'openKeyCursor'),
      vi.spyOn(IDBIndex.prototype, 'openCursor'),
    ];
    onTestFinished(() => cursors.forEach((cursor) => cursor.mockRestore()));
    const seen: string[] = [];
    const times: number[] = [];
    let pages = 0;
    for (let after: string | null = null; ;) {
      const page = await store.summaries({ limit: 333, after });
      pages += 1;
      seen.push(...page.summaries.map(({ id }) => id));
      times.push(...page.summaries.map(({ startedAt }) => startedAt));
      if (page.next === null) break;
      expect(page.summaries).toHaveLength(333);
      after = page.next;
    }
    expect(pages).toBe(Math.ceil(many / 333));
    expect(new Set(seen).size).toBe(many);
    expect(new Set(times).size, 'pairs of runs have the same time').toBe(many / 2);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(await store.count()).toBe(many);
    for (const cursor of cursors) expect(cursor).not.toHaveBeenCalled();
  });

  it('have no next page if a page ends with the last run', async () => {
    const store = createRunStore(testDatabase());
    for (const number of [1, 2]) await appendAll(store, finishedRun(`run-${number}`, number * 1000));
    expect((await store.summaries({ limit: 2 })).next).toBeNull();
    const { summaries, next } = await store.summaries({ limit: 1 });
    expect(summaries.map(({ id }) => id)).toEqual(['run-2']);
    expect((await store.summaries({ limit: 1, after: next })).summaries.map(({ id }) => id)).toEqual(['run-1']);
  });

  it('include a separate list of the runs that have not ended', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    await appendAll(store, finishedRun('ended'));
    await appendAll(store, runningRun('open'));
    database.close();
    const later = createRunStore(testDatabase({ name: database.name }));
    expect((await later.unfinished()).map(({ id }) => id)).toEqual(['open']);
    await later.append(following(runningRun('open'), { type: 'run-interrupted' }));
    expect(await later.unfinished()).toEqual([]);
    expect(await later.summary('open')).toMatchObject({ status: 'interrupted' });
  });
});

describe('deleting runs', () => {
  it('deletes a run and nothing else', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    // The keys of these runs are adjacent.
    for (const runId of ['run-1', 'run-10', 'run-2']) await appendAll(store, finishedRun(runId));
    await store.delete('run-1');
    expect(await store.read('run-1')).toEqual([]);
    expect(await store.summary('run-1')).toBeNull();
    expect(await store.count()).toBe(2);
    for (const runId of ['run-10', 'run-2']) expect(await store.read(runId)).toHaveLength(finishedRun(runId).length);
    await store.delete('run-1');
    expect(await store.count()).toBe(2);
  });

  it('removes all records when all runs are deleted', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    for (const runId of ['run-1', 'run-2']) await appendAll(store, finishedRun(runId));
    await store.deleteAll();
    expect(await store.count()).toBe(0);
    expect(await dump(database)).toEqual({ keys: [], chunks: [], blobs: [], summaries: 0 });
  });

  it('makes later appends from another tab fail, so that they do not restore the run', async () => {
    const database = testDatabase();
    const here = createRunStore(database);
    const events = finishedRun('run-1');
    await appendAll(here, events.slice(0, 13));
    await createRunStore(testDatabase({ name: database.name })).deleteAll();
    const outcomes = await Promise.allSettled(events.slice(13).map((event) => here.append(event)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('deleted') } });
    }
    expect(await dump(database)).toMatchObject({ keys: [], summaries: 0 });
    expect(await here.count()).toBe(0);
  });
});

describe('adding whole runs', () => {
  it('skips runs that are already stored, and duplicates in the same call', async () => {
    const store = createRunStore(testDatabase());
    await appendAll(store, finishedRun('run-1'));
    const outcomes = await store.addRuns([finishedRun('run-1'), finishedRun('run-2'), finishedRun('run-2')]);
    expect(outcomes).toEqual(['present', 'added', 'present']);
    expect(await store.count()).toBe(2);
    expect(foldEvents(await store.read('run-2'))).toEqual(foldEvents(finishedRun('run-2')));
  });
});
