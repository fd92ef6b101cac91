/**
 * @file Deletes runs permanently. Before a deletion, this tab acquires the lock of the run, or the locks of all
 * unfinished runs. Therefore no run is deleted while another tab is running it.
 */
import { fault, FaultError, runLock } from '../contract';
import { asFaultError } from './run-faults';
import type { LiveSessions } from './live-sessions';
import type { RunsDependencies } from './runs';
import { acquireRunLock } from './saved-runs';

export interface DeletionOptions extends Pick<RunsDependencies, 'store' | 'locks' | 'clock'> {
  readonly sessions: LiveSessions;
}

/**
 * Deletes a run. Rejects with a `FaultError` if the run is in progress or storage fails.
 * @param settle if money is still reserved for the run, records it as spent, because a provider may have
 *   charged it
 */
export async function deleteRun(
  runId: string,
  { store, locks, clock, sessions }: DeletionOptions,
  settle: () => Promise<unknown>,
): Promise<void> {
  const session = await sessions.ended(runId, 'This run is still running. Stop it before you delete it.');
  // If the run could not be saved, this tab still holds its lock.
  const release = session?.state === 'unsaved' ? null : await acquireRunLock(locks, clock, runId);
  try {
    await store.delete(runId);
    await settle();
  } catch (thrown) {
    throw asFaultError(thrown);
  } finally {
    release?.();
  }
  sessions.drop(runId);
}

/** Deletes all runs. If any run is in progress, rejects with a `FaultError` and deletes none. */
export async function deleteAllRuns({ store, locks, sessions }: DeletionOptions): Promise<void> {
  const busy = 'A run is still running, here or in another tab. Stop it before you delete all runs.';
  for (const runId of sessions.ids) await sessions.ended(runId, busy);
  const releases: (() => void)[] = [];
  try {
    for (const { id } of await store.unfinished()) {
      if (sessions.live(id)) continue;
      const release = await locks.acquire(runLock(id));
      if (!release) throw new FaultError(fault('run-busy', busy));
      releases.push(release);
    }
    await store.deleteAll();
  } catch (thrown) {
    throw asFaultError(thrown);
  } finally {
    for (const release of releases) release();
  }
  sessions.dropAll();
}
