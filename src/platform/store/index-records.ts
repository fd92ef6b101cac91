/**
 * @file Stores the index of runs in IndexedDB. New entries are stored one by one in the tail (`indexTail`). Later, many entries
 * are combined into a chunk (`indexChunks`). `unindexed` has a mark for each run whose entry is missing or out of date. The
 * transaction that stores entries also removes the marks of their runs, except marks that have changed since the indexer read
 * them.
 */
import * as z from 'zod/mini';
import type { IndexRecords, RunSummary } from '../../core/contract';
import { INDEX_STORES, type Database, type Transaction } from './database';
import { summaryKey } from './write-runs';

z.config({ jitless: true });

const headShape = z.object({ epoch: z.string() });

type Names = ('unindexed' | (typeof INDEX_STORES)[number])[];
const STORES: Names = ['unindexed', ...INDEX_STORES];
type Writing = Transaction<Names, 'readwrite'>;

export function createIndexRecords(database: Database): IndexRecords {
  /** Executes `work` if the stored index has this `epoch`. @returns whether `work` was executed */
  function change(epoch: string, work: (transaction: Writing) => Promise<void>): Promise<boolean> {
    return database.transact(STORES, 'readwrite', async (transaction) => {
      const head = headShape.safeParse(await transaction.objectStore('indexHeads').get('head'));
      if (!head.success || head.data.epoch !== epoch) return false;
      await work(transaction);
      return true;
    });
  }

  return {
    // Reads in one transaction, so that no other tab can move entries from the tail into a chunk during the read.
    read: (reader) =>
      database.transact(INDEX_STORES, 'readonly', async (transaction) => {
        if (!reader.head((await transaction.objectStore('indexHeads').get('head')) ?? null)) return;
        const chunks = transaction.objectStore('indexChunks');
        for (const number of await chunks.getAllKeys()) {
          const [value, dead] = await Promise.all([
            chunks.get(number),
            transaction.objectStore('indexDead').get(number),
          ]);
          reader.chunk(number, value, dead ?? null);
        }
        reader.tail(await transaction.objectStore('indexTail').getAll());
      }),
    begin: (head) =>
      database.transact(INDEX_STORES, 'readwrite', async (transaction) => {
        await Promise.all(INDEX_STORES.map((name) => transaction.objectStore(name).clear()));
        await transaction.objectStore('indexHeads').put(head, 'head');
      }),
    unindexed: (after, most) =>
      database.transact(['unindexed'], 'readonly', async (transaction) => {
        const store = transaction.objectStore('unindexed');
        const range = after === null ? null : IDBKeyRange.lowerBound(after, true);
        const [ids, marks] = await Promise.all([store.getAllKeys(range, most), store.getAll(range, most)]);
        return ids.map((id, index) => ({ id, mark: marks[index] ?? 0 }));
      }),
    commit: ({ epoch, entries, dead, backfill }) =>
      change(epoch, async (transaction) => {
        const heads = transaction.objectStore('indexHeads');
        const tail = transaction.objectStore('indexTail');
        const unindexed = transaction.objectStore('unindexed');
        const head = backfill === undefined ? null : await heads.get('head');
        await Promise.all([
          ...entries.map(async ({ id, entry }) => (entry === null ? tail.delete(id) : tail.put(entry, id))),
          ...entries.map(async ({ id, mark }) => {
            if (mark !== null && (await unindexed.get(id)) === mark) await unindexed.delete(id);
          }),
          ...dead.map(async ({ chunk, marks }) => transaction.objectStore('indexDead').put(marks, chunk)),
          ...(head === null ? [] : [heads.put({ ...Object(head), backfill }, 'head')]),
        ]);
      }),
    seal: ({ epoch, chunk, value, ids, dead, texts }) =>
      change(epoch, async (transaction) => {
        const tail = transaction.objectStore('indexTail');
        const marks = transaction.objectStore('indexDead');
        await Promise.all([
          transaction.objectStore('indexChunks').put(value, chunk),
          dead ? marks.put(dead, chunk) : marks.delete(chunk),
          ...texts.map(async (block, index) => transaction.objectStore('indexTexts').put(block, [chunk, index])),
          ...ids.map(async (id) => tail.delete(id)),
        ]);
      }),
    drop: (epoch, chunk, ids) =>
      change(epoch, async (transaction) => {
        const unindexed = transaction.objectStore('unindexed');
        await Promise.all([
          transaction.objectStore('indexChunks').delete(chunk),
          transaction.objectStore('indexDead').delete(chunk),
          transaction.objectStore('indexTexts').delete(IDBKeyRange.bound([chunk], [chunk, []])),
          ...ids.map(async (id) => unindexed.put(Math.random(), id)),
        ]);
      }),
    entries: (ids) =>
      database.transact(['indexTail'], 'readonly', (transaction) =>
        Promise.all(ids.map((id) => transaction.objectStore('indexTail').get(id))),
      ),
    texts: (chunk, blocks) =>
      database.transact(['indexTexts'], 'readonly', (transaction) =>
        Promise.all(blocks.map((block) => transaction.objectStore('indexTexts').get([chunk, block]))),
      ),
    summaries: (places) =>
      database.transact(['summaries'], 'readonly', async (transaction) => {
        const store = transaction.objectStore('summaries');
        const found = await Promise.all(places.map((place) => store.get(summaryKey(place))));
        return found.flatMap((summary): RunSummary[] => (summary ? [summary] : []));
      }),
  };
}
