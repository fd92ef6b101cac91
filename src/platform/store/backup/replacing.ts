/**
 * @file Prevents a restore from replacing stored data while a batch runs. A batch runs workflows on
 * many tasks, and needs its datasets, runs and results.
 */
import { fault, FaultError, type BatchStore, type Locks } from '../../../core/contract';
import { acquireBatches, REPLACING_LOCK } from '../../../core/contract/evaluation/hold-batches';

/**
 * Performs a restore and yields its progress. During the restore, no tab can start a batch. If a
 * batch is running or another tab is replacing data, throws a `FaultError` (`run-busy`) before the
 * restore begins.
 */
export async function* replacing<Progress>(
  restored: AsyncIterable<Progress>,
  batches: Pick<BatchStore, 'list'>,
  locks: Pick<Locks, 'acquire'>,
): AsyncGenerator<Progress, void, undefined> {
  const release = await locks.acquire(REPLACING_LOCK);
  if (!release) throw new FaultError(fault('run-busy', BUSY));
  try {
    const releaseBatches = await acquireBatches(await batches.list(), locks, 'then replace everything');
    try {
      yield* restored;
    } finally {
      releaseBatches();
    }
  } finally {
    release();
  }
}

const BUSY = 'Another tab is restoring a backup. Wait until the restore has ended, then try again.';
