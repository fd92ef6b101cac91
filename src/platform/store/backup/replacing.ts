/** @file Lets a backup replace stored data only while no batch runs, because batches need their datasets, runs and results. */
import { fault, FaultError, type BatchStore, type Locks } from '../../../core/contract';
import { acquireBatches, REPLACING_LOCK } from '../../../core/contract/evaluation/hold-batches';

/**
 * Forwards the progress of a restore. Meanwhile, no tab can start a batch. Throws a `FaultError` (`run-busy`) before the restore
 * begins if a batch is running or another tab is replacing stored data.
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

const BUSY = 'Another tab is restoring a backup. Wait until it has ended, then try again.';
