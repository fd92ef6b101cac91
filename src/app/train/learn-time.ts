/** @file Finds out how long a run usually takes, for the estimate of a search. */
import type { RunStore } from '../../core/contract';

/** Number of newest runs that are read. */
const NEWEST = 300;

/** The mean time of the newest finished runs of a Conductor, in ms. `null`: there are none. @param label of the Conductor */
export async function usualRunTime(store: Pick<RunStore, 'summaries'>, label: string): Promise<number | null> {
  const page = await store.summaries({ limit: NEWEST }).catch(() => null);
  const times = (page?.summaries ?? []).flatMap(({ conductor, status, time }) =>
    conductor === label && status === 'finished' ? time : [],
  );
  return times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length;
}
