/** @file Reads the stored vectors of questions for the index of runs. `sentence-vectors.ts` writes them. */
import { hashOfDigest, type StoredQuestionVector, type VectorRecords } from '../../core/contract';
import type { Database } from './database';
import type { StoredVector } from './migrations';
import { readPacked } from './packed-vectors';

type Key = readonly [model: string, digest: string];

export function createVectorRecords(database: Database): VectorRecords {
  return {
    state: (model) =>
      database.transact(['vectors'], 'readonly', async (transaction) => {
        const vectors = transaction.objectStore('vectors');
        const [count, newest] = await Promise.all([
          vectors.count(ofModel(model, null)),
          vectors.index('at').openKeyCursor(null, 'prev'),
        ]);
        return { count, newest: newest?.key ?? 0 };
      }),
    page: (model, after, most) =>
      database.transact(['vectors'], 'readonly', async (transaction) => {
        const vectors = transaction.objectStore('vectors');
        const range = ofModel(model, after);
        const [keys, values] = await Promise.all([vectors.getAllKeys(range, most), vectors.getAll(range, most)]);
        const last = keys.length < most ? undefined : keys.at(-1);
        return { vectors: keys.map((key, place) => vectorOf(key, values[place])), next: last?.[1] ?? null };
      }),
    since: (model, at, most) =>
      database.transact(['vectors'], 'readonly', async (transaction) => {
        const added = transaction.objectStore('vectors').index('at');
        const range = IDBKeyRange.lowerBound(at);
        const [keys, values] = await Promise.all([added.getAllKeys(range, most + 1), added.getAll(range, most + 1)]);
        if (keys.length > most) return null;
        return keys.flatMap((key, place) => (key[0] === model ? [vectorOf(key, values[place])] : []));
      }),
  };
}

/**
 * The range of a model's keys. If `after` is not `null`, the range contains only digests that come after
 * `after`. IndexedDB sorts arrays after all strings, so `[model, []]` is an upper bound.
 */
function ofModel(model: string, after: string | null): IDBKeyRange {
  return IDBKeyRange.bound(after === null ? [model] : [model, after], [model, []], true);
}

function vectorOf([, digest]: Key, value: StoredVector | undefined): StoredQuestionVector {
  return { hash: hashOfDigest(digest), vector: readPacked(value?.vector) };
}
