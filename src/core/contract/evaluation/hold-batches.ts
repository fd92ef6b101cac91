/** @file Prevents batches from running while their data is deleted or replaced. */
import { fault, FaultError } from '../fault';
import type { Locks } from '../storage/journal';
import type { Batch } from './batch';
import { batchLock } from './batch-store';

/** Name of the lock that is held while a backup replaces stored data. While the lock is held, no batch starts. */
export const REPLACING_LOCK = 'batches:replacing';

type HeldLocks = Pick<Locks, 'acquire'>;

/**
 * Runs `work` while no tab can run these batches. If one of the batches is running, rejects with a
 * `FaultError` (`run-busy`) and does not start `work`.
 * @param todo the end of the error message “Stop it, …”. It names what the user wants to do next: “then
 * delete it”
 */
export async function holdBatches<Result>(
  batches: readonly Pick<Batch, 'id' | 'name'>[],
  locks: HeldLocks,
  todo: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = await acquireBatches(batches, locks, todo);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Like `holdBatches`, but the caller releases the batches by calling the returned function. */
export async function acquireBatches(
  batches: readonly Pick<Batch, 'id' | 'name'>[],
  locks: HeldLocks,
  todo: string,
): Promise<() => void> {
  const held: (() => void)[] = [];
  const release = () => held.forEach((each) => each());
  try {
    for (const { id, name } of batches) {
      const one = await locks.acquire(batchLock(id));
      if (!one) throw new FaultError(fault('run-busy', `The batch “${name}” is running. Stop it, ${todo}.`));
      held.push(one);
    }
    return release;
  } catch (thrown) {
    release();
    throw thrown;
  }
}
