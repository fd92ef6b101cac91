/** @file Reads the stored index of runs. Ignores an index that is damaged or has another version. */
import * as z from 'zod/mini';
import type { IndexHead, IndexRecords } from '../../contract';
import { INDEX_VERSION, readChunk, readDead, readEntry, readTexts, type Entry } from './entry';
import type { QuestionVectors } from './question-vectors';
import { RunSearch } from './run-search';

z.config({ jitless: true });

const headShape: z.ZodMiniType<IndexHead> = z.object({
  version: z.literal(INDEX_VERSION),
  epoch: z.string(),
  backfill: z.nullable(z.object({ after: z.nullable(z.string()) })),
});

interface LoadedIndex {
  readonly head: IndexHead;
  readonly search: RunSearch;
  /** The number that the next new chunk gets. It is one higher than the highest number of a stored chunk. */
  readonly nextChunk: number;
}

/** @returns `null` if there is no usable index */
export async function loadIndex(records: IndexRecords, vectors: QuestionVectors): Promise<LoadedIndex | null> {
  const search = new RunSearch(vectors);
  let head: IndexHead | null = null;
  let nextChunk = 0;
  let isDamaged = false;
  const unlessDamaged = (read: () => void) => {
    try {
      if (!isDamaged) read();
    } catch {
      isDamaged = true;
    }
  };
  await records.read({
    head(value) {
      const parsed = headShape.safeParse(value);
      head = parsed.success ? parsed.data : null;
      return parsed.success;
    },
    chunk(number, value, dead) {
      unlessDamaged(() => {
        const chunk = readChunk(value);
        const read = async (blocks: readonly number[]) => (await records.texts(number, blocks)).map(readTexts);
        search.runs.addChunk(number, chunk, readDead(dead, chunk.segment.rows), read);
      });
      nextChunk = number + 1;
    },
    tail(entries) {
      unlessDamaged(() => {
        for (const entry of entries) search.runs.put(readEntry(entry));
      });
    },
  });
  return head && !isDamaged ? { head, search, nextChunk } : null;
}

/** Reads a stored entry. `null` if the value is not an entry. */
export function readStoredEntry(value: unknown): Entry | null {
  try {
    return readEntry(value);
  } catch {
    return null;
  }
}
