/**
 * @file Stores embeddings of questions. Each embedding can be computed again, so it is not in
 * backups and may be deleted at any time. The key of an embedding contains the question's SHA-256.
 * The question's text is stored only in runs.
 */
import {
  sha256Hex,
  type Clock,
  type KeptVectors,
  hashOfDigest,
  type StoredQuestionVector,
  type VectorRecords,
} from '../../core/contract';
import type { Database } from './database';
import { packVector, readPacked, unpackVector } from './packed-vectors';
import type { StoredVector } from './migrations';

/** Maximum number of stored embeddings of all models together, about 40 MB. */
const MOST = 100_000;

/** @param most maximum number of stored embeddings, for tests */
export function createSentenceVectors(database: Database, clock: Pick<Clock, 'now'>, most = MOST): KeptVectors {
  return {
    async read(modelId, questions) {
      const named = questions.map((question) => ({ question, digest: sha256Hex(question) }));
      return database.transact(['vectors'], 'readonly', async (transaction) => {
        const vectors = transaction.objectStore('vectors');
        const found = await Promise.all(
          named.map(async ({ question, digest }) => ({ question, value: await vectors.get([modelId, digest]) })),
        );
        // Leaves out missing and damaged records. The caller computes their embeddings again.
        return new Map(
          found.flatMap(({ question, value }): [string, Float32Array][] => {
            const packed = readPacked(value?.vector);
            return packed ? [[question, unpackVector(packed)]] : [];
          }),
        );
      });
    },
    async add(modelId, added) {
      const at = clock.now();
      const named = [...added].flatMap(([question, each]) => {
        const vector = packVector(each);
        return vector ? [{ digest: sha256Hex(question), vector }] : [];
      });
      await database.transact(['vectors'], 'readwrite', async (transaction) => {
        const vectors = transaction.objectStore('vectors');
        await Promise.all(named.map(({ digest, vector }) => vectors.put({ vector, at }, [modelId, digest])));
        const excess = (await vectors.count()) - most;
        if (excess <= 0) return;
        const oldest = await vectors.index('at').getAllKeys(null, excess);
        await Promise.all(oldest.map((key) => vectors.delete(key)));
      });
    },
    async deleteOf(modelId) {
      // IndexedDB sorts arrays after all strings, so this range holds every question of the model.
      const own = IDBKeyRange.bound([modelId], [modelId, []]);
      await database.transact(['vectors'], 'readwrite', (transaction) =>
        transaction.objectStore('vectors').delete(own),
      );
    },
  };
}

// Reads the stored vectors of questions for the index of runs. `sentence-vectors.ts` writes them.

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
