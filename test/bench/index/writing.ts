/**
 * @file Benchmarks how much time the index adds to writing a run, and how fast the Web Worker of the index catches up with new
 * runs.
 */
import { createIndexDesk } from '../../../src/composition/run-index/index-desk';
import type { RunEvent } from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import { createRunStore, type IndexedRunStore } from '../../../src/platform/store/run-store';
import { withDatabase } from '../browser/database';
import { median, table, type Print } from '../report';
import { drawsFrom, STEPS } from './archive';
import { eventsOf } from './run-events';
import { benchEmbedder } from './meaning';

const TURNS = 12;
/** Number of runs in one import. */
const BATCH = 50;

export function benchWriting(print: Print): Promise<void> {
  return withDatabase(async (database, name) => {
    const marking = createRunStore(database);
    const silent = createRunStore(withoutMarks(database));
    await marking.count();
    const draw = drawsFrom(2);
    // `marking` marks each written run as unindexed, as the page does. `silent` doesn't. The two stores take turns, so
    // that a slow phase of the machine affects both alike.
    const imported: Record<'marking' | 'silent', number[]> = { marking: [], silent: [] };
    const live: Record<'marking' | 'silent', number[]> = { marking: [], silent: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [kind, store] of [['marking', marking] as const, ['silent', silent] as const]) {
        const first = (2 * turn + (kind === 'silent' ? 1 : 0)) * (BATCH + 1);
        const runs = Array.from({ length: BATCH }, (_, index) => eventsOf(first + index, draw, { hasDeltas: true }));
        const before = performance.now();
        await store.addRuns(runs);
        imported[kind].push((performance.now() - before) / BATCH);
        live[kind].push(await liveRun(store, eventsOf(first + BATCH, draw, { hasDeltas: true })));
      }
    }
    const runs = 2 * TURNS * (BATCH + 1);
    const index = createIndexDesk({ database: name, embedder: benchEmbedder });
    await index.facets(new AbortController().signal);
    const before = performance.now();
    while (index.state().indexed < runs) await new Promise((resolve) => setTimeout(resolve, 20));
    const perRun = (performance.now() - before) / runs;
    const share = ({ marking: marked, silent: unmarked }: typeof live) =>
      `${((median(marked) / median(unmarked) - 1) * 100).toFixed(1)} %`;
    const rows = [
      ['imported, 50 at a time', `${median(imported.silent).toFixed(2)} ms`, share(imported), '5 %'],
      ['written event by event', `${median(live.silent).toFixed(2)} ms`, share(live), '5 %'],
      ['indexed in the Web Worker', `${perRun.toFixed(2)} ms`, '', ''],
    ];
    table(print, `Writing a run of ${STEPS} steps`, ['', 'each run', 'added for the index', 'target (maximum)'], rows);
  });
}

/** Returns the same database, but without the writes that mark a run as unindexed. */
function withoutMarks(database: Database): Database {
  return {
    ...database,
    transact: (names, mode, work, durability) =>
      database.transact(
        names,
        mode,
        (transaction) =>
          work(
            new Proxy(transaction, {
              get(target, name) {
                if (name !== 'objectStore') return Reflect.get(target, name, target) as unknown;
                return (store: (typeof names)[number]) => {
                  const real = target.objectStore(store);
                  if (store !== 'unindexed') return real;
                  return new Proxy(real, {
                    get: (_, method) => (method === 'put' ? () => Promise.resolve() : undefined),
                  });
                };
              },
            }),
          ),
        durability,
      ),
  };
}

/**
 * Appends a run's events one by one, and returns the time in ms. Like the executor, it waits until the start and the end of a
 * step are stored. Unlike the executor, it doesn't wait for plan events.
 */
async function liveRun(store: IndexedRunStore, events: readonly RunEvent[]): Promise<number> {
  const before = performance.now();
  for (const event of events) {
    const written = store.append(event);
    if (event.type === 'step-started' || event.type === 'step-finished' || event.type === 'run-finished') await written;
  }
  await store.flush();
  return performance.now() - before;
}
