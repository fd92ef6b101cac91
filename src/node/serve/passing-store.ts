/** @file Stores runs only in memory, for a server that writes no runs to disk. */
import {
  foldEvents,
  shrinkDeltas,
  summarize,
  type RunEvent,
  type RunStore,
  type RunSummary,
} from '../../core/contract';

/**
 * Creates an empty store. The caller must delete runs that are no longer needed. Otherwise the
 * memory fills up.
 */
export function createPassingStore(): RunStore {
  const runs = new Map<string, RunEvent[]>();
  const read = (runId: string) => Promise.resolve(shrinkDeltas(runs.get(runId) ?? []));
  const summaryOf = (runId: string): RunSummary | null => {
    const run = foldEvents(runs.get(runId) ?? []);
    return run && summarize(run);
  };
  const all = () => [...runs.keys()].toReversed().flatMap((runId) => summaryOf(runId) ?? []);
  return {
    append(event) {
      const events = runs.get(event.runId);
      if (events) events.push(event);
      else runs.set(event.runId, [event]);
      return Promise.resolve();
    },
    read,
    readMany: (runIds) => Promise.all(runIds.map(read)),
    summary: (runId) => Promise.resolve(summaryOf(runId)),
    summaries({ limit, after = null }) {
      const summaries = all();
      const from = after === null ? 0 : summaries.findIndex(({ id }) => id === after) + 1;
      const page = summaries.slice(from, from + limit);
      const next = from + limit < summaries.length ? (page.at(-1)?.id ?? null) : null;
      return Promise.resolve({ summaries: page, next });
    },
    unfinished: () => Promise.resolve(all().filter(({ status }) => status === 'running')),
    count: () => Promise.resolve(runs.size),
    delete: (runId) => Promise.resolve(void runs.delete(runId)),
    deleteAll: () => Promise.resolve(runs.clear()),
    flush: () => Promise.resolve(),
  };
}
