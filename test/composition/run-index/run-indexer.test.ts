/** @file Checks that the stored index gives the same answers as a newly built index, even if its Web Worker is killed. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunIndexer, type RunIndexerOptions } from '../../../src/core/analysis/run-index/run-indexer';
import {
  ALL_RUNS,
  NEWEST_FIRST,
  type IndexNotices,
  type IndexRecords,
  type RunEvent,
  type RunTotals,
} from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import { createIndexRecords } from '../../../src/platform/store/index-records';
import { createRunStore } from '../../../src/platform/store/run-store';
import { MemoryLocks, MemoryNotices } from '../../fixtures/memory-locks';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { testDatabase } from '../../platform/store/harness';
import { createVectorRecords } from '../../../src/platform/store/sentence-vectors';

const { signal } = new AbortController();
const QUESTIONS = ['Which way to the ΟΔΟΣ?', '東京の天気', 'What is the “last word”?'];
const WORDS = ['', '天気', 'οδοσ', '"the last" word', '"last word', 'solve', 'first note', '"second note"'];

function runOf(number: number): RunEvent[] {
  const bodies = finishedRunBodies().map((body) =>
    body.type === 'run-started' ? { ...body, question: { text: QUESTIONS[number % 3] ?? '' } } : body,
  );
  return stampEvents(bodies, { runId: `run-${number}`, at: 1_760_000_000_000 + number });
}

/** The channel between the Web Workers of all tabs. Each tab receives the messages that the other tabs send. */
class Channel {
  readonly #listeners = new Map<number, (ids: readonly string[] | null) => void>();
  #tabs = 0;

  tab(): IndexNotices {
    const own = (this.#tabs += 1);
    return {
      notify: (ids) => this.#listeners.forEach((listener, tab) => tab !== own && listener(ids)),
      listen: (listener) => {
        this.#listeners.set(own, listener);
        return () => this.#listeners.delete(own);
      },
    };
  }
}

let epochs = 0;

function indexerOf(database: Database, more: Partial<RunIndexerOptions> = {}): RunIndexer {
  return new RunIndexer({
    store: createRunStore(database),
    records: createIndexRecords(database),
    vectors: createVectorRecords(database),
    locks: new MemoryLocks().tab(),
    lock: 'index',
    notices: new MemoryNotices().tab(),
    indexNotices: new Channel().tab(),
    figures: {},
    newEpoch: () => `epoch-${(epochs += 1)}`,
    pause: () => Promise.resolve(),
    onChange: () => undefined,
    report: (thrown) => {
      throw thrown;
    },
    chunkRuns: 3,
    ...more,
  });
}

/** Searches an index for each of the `WORDS`. @returns what the searches found, the facets and the state of the index */
async function searchResults(indexer: RunIndexer) {
  await indexer.settle();
  const found = await Promise.all(
    WORDS.map(async (words) => {
      const filter = { ...ALL_RUNS, words };
      const rows = await indexer.answer(
        { type: 'rows', query: { filter, sort: NEWEST_FIRST }, from: 0, most: 100 },
        signal,
      );
      return { words, rows, totals: (await indexer.answer({ type: 'totals', filter }, signal)) as RunTotals };
    }),
  );
  return { found, facets: await indexer.answer({ type: 'facets' }, signal), state: indexer.state };
}

/** The `searchResults` of an index that is newly built from the stored runs. */
async function rebuilt(database: Database) {
  const records = createIndexRecords(database);
  const forgetful: IndexRecords = {
    ...records,
    read: async (reader) => void reader.head(null),
    begin: () => Promise.resolve(),
    unindexed: () => Promise.resolve([]),
    commit: () => Promise.resolve(true),
  };
  return searchResults(indexerOf(database, { records: forgetful, chunkRuns: 1000 }));
}

/**
 * Simulates a Web Worker that is killed at the write with the given number, counted from 1. Kills it after
 * the transaction of the write if `isAfter`, otherwise before the transaction.
 */
function killedAt(
  database: Database,
  write: number,
  isAfter: boolean,
): { records: IndexRecords; killed: Promise<void> } {
  const records = createIndexRecords(database);
  let left = write;
  let kill = () => {};
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const around =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      left -= 1;
      if (left > 0) return work(...args);
      if (left === 0 && isAfter) await work(...args);
      kill();
      return new Promise(() => undefined);
    };
  return {
    killed,
    records: {
      ...records,
      begin: around(records.begin),
      commit: around(records.commit),
      seal: around(records.seal),
      drop: around(records.drop),
    },
  };
}

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('add' as const), run: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('note' as const),
      run: fc.nat(9),
      note: fc.constantFrom('first note', 'second note'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('delete' as const), run: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('deleteAll' as const), run: fc.constant(0) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(database: Database, each: Operation): Promise<void> {
  const store = createRunStore(database);
  const runId = `run-${each.run}`;
  switch (each.type) {
    case 'add':
      return void (await store.addRuns([runOf(each.run)]));
    case 'note': {
      const last = (await store.read(runId)).at(-1);
      if (!last) return;
      const { seq, segment, elapsed, at } = last;
      const annotation = { title: '', note: each.note, starred: false };
      return store.append({ type: 'run-annotated', ...annotation, runId, seq: seq + 1, at, segment, elapsed });
    }
    case 'delete':
      return store.delete(runId);
    case 'deleteAll':
      return store.deleteAll();
    default:
      return each satisfies never;
  }
}

describe('the stored index', () => {
  it('answers like a newly built index after random changes of runs and random kills of its Web Worker', async () => {
    const life = fc.record({
      operations: fc.array(operation, { maxLength: 8 }),
      killAt: fc.integer({ min: 1, max: 6 }),
      isAfter: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
        const database = testDatabase();
        for (const { operations, killAt, isAfter } of lives) {
          const { records, killed } = killedAt(database, killAt, isAfter);
          const indexer = indexerOf(database, { records });
          for (const each of operations) {
            await carryOut(database, each);
            indexer.catchUp();
          }
          await Promise.race([killed, indexer.settle()]);
        }
        const indexer = indexerOf(database);
        const result = await searchResults(indexer);
        expect(result).toEqual(await rebuilt(database));
        expect(await createIndexRecords(database).unindexed(null, 1)).toEqual([]);
        // A second indexer, which only reads the stored index, gives the same answers.
        await indexer.close();
        expect(await searchResults(indexerOf(database))).toEqual(result);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('finds the newest text of a run that changes while it is indexed', async () => {
    const database = testDatabase();
    await carryOut(database, { type: 'add', run: 1 });
    const records = createIndexRecords(database);
    let isChanged = false;
    const slow: IndexRecords = {
      ...records,
      async commit(change) {
        if (!isChanged) {
          isChanged = true;
          await carryOut(database, { type: 'note', run: 1, note: 'second note' });
        }
        return records.commit(change);
      },
    };
    const { found } = await searchResults(indexerOf(database, { records: slow }));
    expect(found.find(({ words }) => words === '"second note"')?.totals.runs).toBe(1);
  });

  it('contains no deleted run after a reload, even if storing the deletion failed at first', async () => {
    const database = testDatabase();
    for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
    const records = createIndexRecords(database);
    let failures = 0;
    const failing: IndexRecords = {
      ...records,
      commit: (change) => {
        if (failures === 0) return records.commit(change);
        failures -= 1;
        return Promise.reject(new Error('The disk is full.'));
      },
    };
    const reported: unknown[] = [];
    const indexer = indexerOf(database, { records: failing, report: (thrown) => reported.push(thrown) });
    await indexer.settle();
    await carryOut(database, { type: 'delete', run: 1 });
    failures = 1;
    indexer.catchUp();
    await indexer.settle();
    expect(reported.length).toBe(1);
    indexer.catchUp();
    await indexer.settle();
    await indexer.close();
    const again = indexerOf(database);
    expect(await searchResults(again)).toEqual(await rebuilt(database));
    expect(again.state).toEqual({ indexed: 5, of: 5 });
  });

  it('gives the latest summary of a run after each event, and lists the run as unindexed until it ends', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    const indexer = indexerOf(database);
    const events = runOf(1);
    for (const event of events) {
      await store.append(event);
      indexer.catchUp();
      const { found } = await searchResults(indexer);
      expect(found[0]?.rows).toEqual([await store.summary('run-1')]);
      expect(found[0]?.totals.tokens).toBe((await store.summary('run-1'))?.tokens);
      const listed = (await createIndexRecords(database).unindexed(null, 5)).map(({ id }) => id);
      expect(listed).toEqual(event === events.at(-1) ? [] : ['run-1']);
    }
  });

  it.each([
    ['a chunk is damaged', 'indexChunks', 0, { table: {} }],
    ['an entry is damaged', 'indexTail', 'run-9', { text: 3 }],
    ['the list of outdated rows is damaged', 'indexDead', 0, new Uint8Array(1)],
    ['another version wrote the index', 'indexHeads', 'head', { version: 0, epoch: 'old', backfill: null }],
  ] as const)('is rebuilt from the runs when %s', async (_, name, key, value) => {
    const database = testDatabase();
    for (let run = 0; run < 8; run++) await carryOut(database, { type: 'add', run });
    const before = indexerOf(database);
    const expected = await searchResults(before);
    await before.close();
    await database.transact([name], 'readwrite', async (transaction) => {
      await transaction.objectStore(name).put(value, key as never);
    });
    expect(await searchResults(indexerOf(database))).toEqual(expected);
  });

  describe('after a run is deleted', () => {
    const stored = (database: Database) =>
      database.transact(['indexChunks', 'indexTexts', 'indexTail'], 'readonly', async (transaction) => {
        const [chunks, ...texts] = await Promise.all([
          transaction.objectStore('indexChunks').getAll(),
          transaction.objectStore('indexTexts').getAll(),
          transaction.objectStore('indexTail').getAll(),
        ]);
        return { chunks: chunks.length, text: JSON.stringify([chunks, texts]) };
      });

    it('contains no text of the run once the indexer catches up, even if the run had been changed', async () => {
      const database = testDatabase();
      for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
      const indexer = indexerOf(database);
      await indexer.settle();
      // Runs 2 and 5 have the last of the three questions.
      await carryOut(database, { type: 'note', run: 2, note: 'first note' });
      indexer.catchUp();
      await indexer.settle();
      await carryOut(database, { type: 'delete', run: 2 });
      indexer.catchUp();
      await indexer.settle();
      expect((await stored(database)).text).toContain('last word');
      expect((await stored(database)).text).not.toContain('run-2');
      await carryOut(database, { type: 'delete', run: 5 });
      indexer.catchUp();
      await indexer.settle();
      expect(await stored(database)).toEqual({ chunks: 2, text: expect.not.stringMatching(/last|run-5|first note/) });
      expect(await searchResults(indexer)).toEqual(await rebuilt(database));
      await indexer.close();
      expect(await searchResults(indexerOf(database))).toEqual(await rebuilt(database));
    });

    it('rewrites a chunk even if another one cannot be written, and retries the failed chunk less and less often', async () => {
      const database = testDatabase();
      for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
      const records = createIndexRecords(database);
      let attempts = 0;
      const changed = new Set<number>();
      const failing: IndexRecords = {
        ...records,
        seal(seal) {
          if (seal.dead !== null) changed.add(seal.chunk);
          if (seal.chunk !== 0 || seal.dead === null) return records.seal(seal);
          attempts += 1;
          return Promise.reject(new Error('The chunk is locked.'));
        },
      };
      const reports: unknown[] = [];
      const indexer = indexerOf(database, { records: failing, report: (thrown) => reports.push(thrown) });
      await indexer.settle();
      for (const run of [2, 4]) await carryOut(database, { type: 'delete', run });
      for (let time = 0; time < 10; time++) {
        indexer.catchUp();
        await indexer.settle();
      }
      expect(changed).toEqual(new Set([0, 1]));
      expect(reports).toHaveLength(attempts);
      expect(attempts).toBeGreaterThan(1);
      expect(attempts).toBeLessThan(6);
      await indexer.close();
    });

    it('indexes the remaining runs of a chunk again if the stored texts of the chunk are missing', async () => {
      const database = testDatabase();
      for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
      const indexer = indexerOf(database);
      await indexer.settle();
      await database.transact(['indexTexts'], 'readwrite', (transaction) =>
        transaction.objectStore('indexTexts').clear(),
      );
      for (const run of [1, 4]) await carryOut(database, { type: 'delete', run });
      indexer.catchUp();
      await indexer.settle();
      await indexer.settle();
      expect(await searchResults(indexer)).toEqual(await rebuilt(database));
      await indexer.close();
      expect(await searchResults(indexerOf(database))).toEqual(await rebuilt(database));
    });

    it('retries a failed removal of the run’s texts when the indexer catches up again or is opened again', async () => {
      const database = testDatabase();
      for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
      const records = createIndexRecords(database);
      let isFailing = false;
      const failing: IndexRecords = {
        ...records,
        seal: (seal) => (isFailing ? Promise.reject(new Error('The disk is full.')) : records.seal(seal)),
      };
      const indexer = indexerOf(database, { records: failing, report: () => undefined });
      await indexer.settle();
      const fail = async (run: number) => {
        isFailing = true;
        await carryOut(database, { type: 'delete', run });
        indexer.catchUp();
        await indexer.settle();
        expect((await stored(database)).text).toContain(`run-${run}`);
        isFailing = false;
      };
      await fail(2);
      indexer.catchUp();
      await indexer.settle();
      expect((await stored(database)).text).not.toContain('run-2');
      await fail(4);
      await indexer.close();
      const again = indexerOf(database);
      expect(await searchResults(again)).toEqual(await rebuilt(database));
      expect((await stored(database)).text).not.toContain('run-4');
    });
  });

  it('gives the right answers after most of its runs were deleted, and again after it is reopened', async () => {
    const database = testDatabase();
    for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
    const first = indexerOf(database);
    await first.settle();
    for (const run of [0, 1, 2, 3]) await carryOut(database, { type: 'delete', run });
    first.catchUp();
    await first.settle();
    await first.close();
    const second = indexerOf(database);
    expect(await searchResults(second)).toEqual(await rebuilt(database));
    expect(second.state).toEqual({ indexed: 2, of: 2 });
    await second.close();
    expect(await searchResults(indexerOf(database))).toEqual(await rebuilt(database));
  });

  it('does not drop a chunk of old rows if `deleteAll` has emptied the index meanwhile', async () => {
    const database = testDatabase();
    for (let run = 0; run < 6; run++) await carryOut(database, { type: 'add', run });
    const first = indexerOf(database);
    await first.settle();
    for (const run of [0, 1, 2, 3]) await carryOut(database, { type: 'delete', run });
    first.catchUp();
    await first.settle();
    await first.close();
    const records = createIndexRecords(database);
    const drops: boolean[] = [];
    const second = indexerOf(database, {
      records: {
        ...records,
        async drop(...change) {
          await carryOut(database, { type: 'deleteAll', run: 0 });
          const isDropped = await records.drop(...change);
          drops.push(isDropped);
          return isDropped;
        },
      },
    });
    expect(await searchResults(second)).toEqual(await rebuilt(database));
    expect(drops).toEqual([false]);
    await second.close();
  });
});

describe('the indexers of several tabs', () => {
  it('let only one tab write the index, and let another tab take over when the writer closes', async () => {
    const database = testDatabase();
    const locks = new MemoryLocks();
    const channel = new Channel();
    const tab = () => indexerOf(database, { locks: locks.tab(), indexNotices: channel.tab() });
    for (let run = 0; run < 4; run++) await carryOut(database, { type: 'add', run });
    const writer = tab();
    await writer.settle();
    const reader = tab();
    expect(await searchResults(reader)).toEqual(await searchResults(writer));

    for (const run of [5, 6, 7]) await carryOut(database, { type: 'add', run });
    await carryOut(database, { type: 'delete', run: 2 });
    reader.catchUp();
    await reader.settle();
    expect(reader.state, 'only the writer indexes').toEqual({ indexed: 4, of: 6 });
    writer.catchUp();
    await writer.settle();
    expect(await searchResults(reader)).toEqual(await rebuilt(database));

    await writer.close();
    await carryOut(database, { type: 'add', run: 8 });
    await expect.poll(() => reader.state.indexed).toBe(7);
    expect(await searchResults(reader)).toEqual(await rebuilt(database));

    await carryOut(database, { type: 'deleteAll', run: 0 });
    const third = tab();
    await reader.close();
    await expect.poll(() => third.state).toEqual({ indexed: 0, of: 0 });
  });

  it('read the stored chunks again only when the writer has filled a chunk', async () => {
    const database = testDatabase();
    const locks = new MemoryLocks();
    const channel = new Channel();
    const records = createIndexRecords(database);
    let reads = 0;
    const counted: IndexRecords = {
      ...records,
      read: (...parameters) => {
        reads += 1;
        return records.read(...parameters);
      },
    };
    const writer = indexerOf(database, { locks: locks.tab(), indexNotices: channel.tab() });
    await writer.settle();
    const reader = indexerOf(database, { locks: locks.tab(), indexNotices: channel.tab(), records: counted });
    await reader.settle();
    const readsAfter: number[] = [];
    for (let run = 0; run < 7; run++) {
      await carryOut(database, { type: 'add', run });
      writer.catchUp();
      await writer.settle();
      await reader.settle();
      readsAfter.push(reads);
    }
    expect(readsAfter).toEqual([1, 1, 2, 2, 2, 3, 3]);
    expect(await searchResults(reader)).toEqual(await rebuilt(database));
  });
});
