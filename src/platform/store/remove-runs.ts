/**
 * @file Takes all runs out but some. One that is at work, here or in another tab, stays.
 */
import { runLock, type Locks } from '../../core/contract';
import type { IndexedRunStore } from './run-store';

const PAGE = 200;

export async function removeRuns(
  store: Pick<IndexedRunStore, 'summaries' | 'delete'>,
  locks: Locks,
  keep: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ readonly removed: number; readonly busy: number }> {
  let [removed, busy] = [0, 0];
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof store.summaries>> = await store.summaries({ limit: PAGE, after });
    for (const { id } of page.summaries) {
      signal.throwIfAborted();
      if (keep.has(id)) continue;
      const release = await locks.take(runLock(id));
      if (!release) {
        busy += 1;
        continue;
      }
      try {
        await store.delete(id);
        removed += 1;
      } finally {
        release();
      }
    }
    if (page.next === null) return { removed, busy };
    after = page.next;
  }
}
