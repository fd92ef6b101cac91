/**
 * @file Fills a database with the summaries and the index of made-up runs. Writing their events too would take an hour.
 */
import { openDB } from 'idb';
import { INDEX_VERSION } from '../../../src/core/analysis/run-index/entry';
import { RunSearch } from '../../../src/core/analysis/run-index/run-search';
import type { Database } from '../../../src/platform/store/database';
import { createIndexRecords } from '../../../src/platform/store/index-records';
import type { PodiumSchema } from '../../../src/platform/store/migrations';
import { createRunStore } from '../../../src/platform/store/run-store';
import { drawsFrom, madeRun, type MadeRun } from './archive';

/** Runs in a chunk of the index. */
export const CHUNK = 4096;

/**
 * @param name the name of the database
 * @param onrun receives each run
 * @returns times for each chunk of the index in ms. `built`: to build the chunk. `elapsed`: to build and store it
 */
export async function fillIndex(
  database: Database,
  name: string,
  runs: number,
  onrun: (run: MadeRun) => void = () => undefined,
): Promise<{ readonly built: readonly number[]; readonly elapsed: readonly number[] }> {
  // Creates the stores of the database.
  await createRunStore(database).count();
  const records = createIndexRecords(database);
  await records.begin({ version: INDEX_VERSION, epoch: 'bench', backfill: null });
  const draw = drawsFrom(1);
  const connection = await openDB<PodiumSchema>(name);
  const built: number[] = [];
  const elapsed: number[] = [];
  for (let first = 0, chunk = 0; first < runs; first += CHUNK, chunk++) {
    const search = new RunSearch();
    const last = Math.min(runs, first + CHUNK);
    const transaction = connection.transaction(['summaries', 'counts'], 'readwrite', { durability: 'relaxed' });
    for (let place = first; place < last; place++) {
      const run = madeRun(place, draw);
      search.runs.put(run.entry);
      void transaction.objectStore('summaries').put(run.summary, [-run.summary.startedAt, run.summary.id]);
      onrun(run);
    }
    void transaction.objectStore('counts').put(last, 'runs');
    await transaction.done;
    const before = performance.now();
    const sealed = await search.runs.chunkTail(() => Promise.resolve());
    built.push(performance.now() - before);
    await records.seal({ epoch: 'bench', chunk, dead: null, ...sealed });
    elapsed.push(performance.now() - before);
  }
  connection.close();
  return { built, elapsed };
}
