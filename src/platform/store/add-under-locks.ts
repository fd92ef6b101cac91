/**
 * @file Adds runs with all their events to the store. Holds the lock of each run while adding it, so that no tab resumes or
 * changes the run. Runs that are in progress, in this or another tab, are skipped.
 */
import { runLock, type Locks } from '../../core/contract';
import type { WholeRun } from './run-file';
import type { IndexedRunStore } from './run-store';
import type { AddedAs } from './add-runs';

export interface AddUnderLocksOptions {
  readonly store: Pick<IndexedRunStore, 'addRuns'>;
  readonly locks: Locks;
  /**
   * Whether an added run always replaces a different stored run with the same id. If `false`, a shorter copy of the stored run is
   * ignored, and a run with diverging events is stored under a new id. Default: `false`.
   */
  readonly over?: boolean;
  /**
   * Each run that is written gets a `run-imported` event with this time, ms since the epoch. Default: no such
   * event.
   */
  readonly importedAt?: number | null;
}

/**
 * Number of attempts to get a lock, and the pause between them in ms. Trying again helps if another tab holds
 * the lock only briefly.
 */
const TRIES = 4;
const PAUSE = 50;

/** @returns the outcome for each run. `busy`: the run was skipped because its lock is held */
export async function addUnderLocks(
  runs: readonly WholeRun[],
  { store, locks, over = false, importedAt = null }: AddUnderLocksOptions,
): Promise<readonly (AddedAs | 'busy')[]> {
  const ids = runs.map(({ events: [first] }) => first?.runId ?? '');
  const held = new Map<string, (() => void) | null>();
  await Promise.all([...new Set(ids)].map(async (id) => held.set(id, await acquireLock(locks, id))));
  try {
    const free = runs.filter((_, index) => held.get(ids[index] ?? ''));
    const images = free.flatMap((run) => run.images);
    const events = free.map((run) => run.events);
    const outcomes = free.length > 0 ? await store.addRuns(events, { over, importedAt, images }) : [];
    const outcomeOf = new Map(free.map((run, index) => [run, outcomes[index] ?? ('present' as const)]));
    return runs.map((run) => outcomeOf.get(run) ?? 'busy');
  } finally {
    for (const release of held.values()) release?.();
  }
}

async function acquireLock(locks: Locks, id: string): Promise<(() => void) | null> {
  for (let tries = 1; ; tries++) {
    const release = await locks.acquire(runLock(id));
    if (release || tries === TRIES) return release;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
