/**
 * @file Reads a run from its records in IndexedDB. Restores texts that the run shares with other runs, and validates the events.
 */
import { fault, FaultError, type StoredEvent } from '../../core/contract';
import { parseRun } from '../../core/contract/storage/schema';
import type { Mode, RunTransaction } from './database';
import { missingTexts, putTextsBack } from './stored-events';

/** An event that could not be read, or could be read only in part. */
export interface ReadProblem {
  /** 0-based index among the stored events of the run. */
  readonly index: number;
  /** The problem, as one sentence. */
  readonly message: string;
}

export interface CheckedRun {
  /** The events in order, without events that could not be read. */
  readonly events: readonly StoredEvent[];
  readonly problems: readonly ReadProblem[];
}

/** One record of the object store `chunks`: several events of a run. */
export interface Chunk {
  /** The `seq` of its first event. */
  readonly first: number;
  readonly values: readonly unknown[];
}

/** The key range of one run's records. IndexedDB sorts arrays after all numbers, so an array is the upper bound. */
export function chunksOf(runId: string): IDBKeyRange {
  return IDBKeyRange.bound([runId], [runId, []]);
}

/** Reads a run. Rejects with a `FaultError` (`storage-failed`) if a newer version of Podium wrote the run. */
export async function readRun(
  transaction: RunTransaction<Mode>,
  runId: string,
): Promise<CheckedRun & { readonly chunks: readonly Chunk[] }> {
  const store = transaction.objectStore('chunks');
  const range = chunksOf(runId);
  const [keys, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
  const chunks = records.map((values, index) => ({ first: keys[index]?.[1] ?? 0, values }));
  const values = records.flat();
  const blobs = await readBlobs(transaction, values);
  const lost: ReadProblem[] = [];
  for (const [index, value] of values.entries()) {
    if (missingTexts(value).some((hash) => !blobs.has(hash))) {
      lost.push({ index, message: 'A text that this event shares with other runs is lost. It is shown empty.' });
    }
  }
  const parsed = parseRun(values.map((value) => putTextsBack(value, blobs)));
  if (!parsed.ok) throw new FaultError(fault('storage-failed', parsed.message));
  return { chunks, events: parsed.events, problems: [...lost, ...parsed.problems] };
}

async function readBlobs(
  transaction: RunTransaction<Mode>,
  values: readonly unknown[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = [...new Set(values.flatMap(missingTexts))];
  const textOf = async (hash: string) =>
    (await transaction.objectStore('blobs').get(hash)) ?? (await transaction.objectStore('images').get(hash))?.text;
  const texts = await Promise.all(hashes.map(textOf));
  return new Map(hashes.flatMap((hash, index) => (texts[index] === undefined ? [] : [[hash, texts[index]]])));
}
