/**
 * @file Reads the runs of all shards as lines of the format `podium-run`. Reads one run at a time,
 * because all runs together may not fit into memory.
 */
import { exportedRuns } from '../../platform/store/exported-runs';
import { runValue } from '../../platform/store/run-file';
import { openRunFilesToRead } from '../store/run-files';
import type { MergedShards } from './merge';
import { shardOf } from './shards';

/**
 * Yields one line for each run with an outcome. Leaves out runs on confidential datasets.
 * @param leftOut called with a sentence for each unreadable run, and with one sentence for all
 *   confidential runs of a shard, and for the damaged lines of a shard
 */
export async function* mergedRunLines(
  { batch, outcomes, of, runs }: MergedShards,
  leftOut: (message: string) => void,
): AsyncGenerator<string> {
  const { signal } = new AbortController();
  // Two shards may contain the same run, because methods with equal settings share their runs on a
  // task.
  const written = new Set<string>();
  for (const [index, path] of runs) {
    const ids = outcomes.flatMap((outcome) =>
      outcome.runId !== undefined && shardOf(batch.plan, outcome, of) === index && !written.has(outcome.runId)
        ? outcome.runId
        : [],
    );
    const store = await openRunFilesToRead(path, leftOut);
    try {
      for await (const events of exportedRuns(store, [...new Set(ids)], { signal, leftOut })) {
        yield `${JSON.stringify(runValue(events))}\n`;
      }
    } finally {
      await store.close();
    }
    for (const id of ids) written.add(id);
  }
}
