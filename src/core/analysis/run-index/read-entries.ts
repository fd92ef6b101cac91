/** @file Creates the index entries of stored runs. */
import { foldEvents, type RunStore } from '../../contract';
import { entryOf, entryOfSummary, type Entry } from './entry';

/** Reads runs and creates their entries, in the order of the ids. `null`: the run was deleted. */
export async function readEntries(
  store: Pick<RunStore, 'readMany' | 'summary'>,
  ids: readonly string[],
): Promise<readonly (Entry | null)[]> {
  const read = await store.readMany(ids);
  return Promise.all(
    ids.map(async (id, index) => {
      const run = foldEvents(read[index] ?? []);
      if (run) return entryOf(run);
      const summary = await store.summary(id);
      return summary && entryOfSummary(summary);
    }),
  );
}
