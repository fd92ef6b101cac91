/** @file A key for a worker that was refused, given where the refusal stands. */
import type { KeySource, PoolWorker } from '../../core/contract';
import type { WorkersState } from './workers.svelte';

/** Keeps the key, and has it sent from now on. Rejects with a `FaultError` if that could not be kept. */
export async function giveKey(keys: KeySource, workers: WorkersState, worker: PoolWorker, key: string): Promise<void> {
  if (worker.origin !== null) keys.set(worker.id, worker.origin, key);
  const setup = workers.setups.find(({ id }) => id === worker.id);
  await keys.settled?.();
  // A worker that was added without a key has none sent until its setup says so.
  if (setup && !setup.needsKey) await workers.save({ ...setup, needsKey: true });
}
