/** @file Reads the runs in a file of `podium serve` or `podium eval`. */
import * as z from 'zod/mini';
import type { StoredEvent } from '../../src/core/contract';
import { parseStoredEvent } from '../../src/core/contract/storage/schema';
import { readCompleteLines } from '../../src/node/store/append-file';

const line = z.union([z.strictObject({ events: z.array(z.unknown()) }), z.strictObject({ deleted: z.string() })]);

/** Returns the events of each run, by the run's id. Another process may still be writing to the file. */
export async function storedRuns(path: string): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const runs = new Map<string, StoredEvent[]>();
  for await (const text of readCompleteLines(path)) {
    const read = line.parse(JSON.parse(text));
    if ('deleted' in read) runs.delete(read.deleted);
    else {
      for (const value of read.events) {
        const parsed = parseStoredEvent(value);
        if (!parsed.ok) throw new Error(parsed.message);
        const { event } = parsed;
        runs.set(event.runId, [...(runs.get(event.runId) ?? []), event]);
      }
    }
  }
  return runs;
}
