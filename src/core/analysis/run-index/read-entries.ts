/** @file Creates the index entries of stored runs. */
import { foldEvents, type Run, type RunStore } from '../../contract';
import { hasVerdicts, type Truth } from '../checked-answers';
import { entryOf, entryOfSummary, type Entry } from './entry';

/** Finds out which earlier answers of a run are right. */
export type TruthOf = (run: Run) => Promise<Truth>;

/** Reads runs and creates their entries, in the order of the ids. `null`: the run was deleted. */
export async function readEntries(
  store: Pick<RunStore, 'readMany' | 'summary'>,
  ids: readonly string[],
  truthOf?: TruthOf,
): Promise<readonly (Entry | null)[]> {
  const read = await store.readMany(ids);
  return Promise.all(
    ids.map(async (id, index) => {
      const run = foldEvents(read[index] ?? []);
      if (run) return entryOf(run, hasVerdicts(run) ? await truthOf?.(run) : undefined);
      const summary = await store.summary(id);
      return summary && entryOfSummary(summary);
    }),
  );
}
