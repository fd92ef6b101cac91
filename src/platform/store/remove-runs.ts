/**
 * @file Deletes all runs except the runs in `keep` and the runs of confidential tasks. Runs of confidential tasks stay, because no
 * backup contains them. Runs that are in progress, in this or another tab, are not deleted.
 */
import { runLock, type ConfidentialityCheck, type Locks } from '../../core/contract';
import type { IndexedRunStore } from './run-store';

/** The outcome of a deletion. `busy`: the item is in use, so it was not deleted. */
export type Pruned = 'removed' | 'busy';

const PAGE = 200;

/** @yields the outcome of each deletion, so that the caller can count the deleted runs even after an early stop */
export async function* removeRuns(
  store: Pick<IndexedRunStore, 'readMany' | 'summaries' | 'delete'>,
  locks: Locks,
  { keep, isConfidential }: { readonly keep: ReadonlySet<string>; readonly isConfidential: ConfidentialityCheck },
  signal: AbortSignal,
): AsyncGenerator<Pruned, void, undefined> {
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof store.summaries>> = await store.summaries({ limit: PAGE, after });
    for (const { id } of page.summaries) {
      signal.throwIfAborted();
      if (keep.has(id)) continue;
      const [[first] = []] = await store.readMany([id]);
      if (!first || !(await isConfidential(first))) yield await removeRun(store, locks, id);
    }
    if (page.next === null) return;
    after = page.next;
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
