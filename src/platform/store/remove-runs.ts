/**
 * @file Deletes the stored runs that are missing from a restored backup. `keep` contains the ids of the runs in the backup. Runs
 * of confidential tasks and unreadable runs are kept, because backups leave them out. A run that is in progress, in this or
 * another tab, is kept too.
 */
import { FaultError, runLock, type ConfidentialityCheck, type Locks, type StoredEvent } from '../../core/contract';
import type { IndexedRunStore } from './run-store';

/** The outcome of a deletion. `busy`: the item is in use, so it was not deleted. */
export type Pruned = 'removed' | 'busy';

const PAGE = 200;

/** @yields the outcome of each deletion, so that the caller can count the deleted runs even after an abort */
export async function* removeRuns(
  store: Pick<IndexedRunStore, 'read' | 'summaries' | 'delete'>,
  locks: Locks,
  { keep, isConfidential }: { readonly keep: ReadonlySet<string>; readonly isConfidential: ConfidentialityCheck },
  signal: AbortSignal,
): AsyncGenerator<Pruned, void, undefined> {
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof store.summaries>> = await store.summaries({ limit: PAGE, after });
    for (const { id } of page.summaries) {
      signal.throwIfAborted();
      if (keep.has(id)) continue;
      const first = await firstEvent(store, id);
      if (first && !(await isConfidential(first))) yield await removeRun(store, locks, id);
    }
    if (page.next === null) return;
    after = page.next;
  }
}

/** The first event of a run. `null` if the run cannot be read. */
async function firstEvent(store: Pick<IndexedRunStore, 'read'>, id: string): Promise<StoredEvent | null> {
  try {
    const [first = null] = await store.read(id);
    return first;
  } catch (thrown) {
    if (thrown instanceof FaultError) return null;
    throw thrown;
  }
}

async function removeRun(store: Pick<IndexedRunStore, 'delete'>, locks: Locks, id: string): Promise<Pruned> {
  const release = await locks.acquire(runLock(id));
  if (!release) return 'busy';
  try {
    await store.delete(id);
    return 'removed';
  } finally {
    release();
  }
}
