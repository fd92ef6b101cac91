/** @file The ways on from a run that failed: again, with another key, or with another worker for the step that failed. */
import type { KeySource, PoolWorker } from '../../core/contract';
import type { WorkersState } from './workers.svelte';

export interface WaysOn {
  resume(): void;
  /** Keeps a key for the worker that was refused, then goes on. */
  resumeWithKey(worker: PoolWorker, key: string): void;
  /** Gives a step to another worker of the pool, in a new run. */
  giveStepTo(place: { readonly round: number; readonly step: number }, worker: number): void;
}

interface Parts {
  readonly keys: KeySource;
  readonly workers: WorkersState;
  /** @param before what is to be done first; where it fails the run does not go on */
  resume(before?: () => Promise<void>): Promise<void>;
  readonly giveStepTo: (...chosen: Parameters<WaysOn['giveStepTo']>) => Promise<void>;
}

export function waysOn({ keys, workers, resume, giveStepTo }: Parts): WaysOn {
  return {
    resume: () => void resume(),
    resumeWithKey: (worker, key) => void resume(() => giveKey(keys, workers, worker, key)),
    giveStepTo: (place, worker) => void giveStepTo(place, worker),
  };
}

/** Keeps the key, and has it sent from now on. Rejects with a `FaultError` if that could not be kept. */
async function giveKey(keys: KeySource, workers: WorkersState, worker: PoolWorker, key: string): Promise<void> {
  if (worker.origin !== null) keys.set(worker.id, worker.origin, key);
  const setup = workers.setups.find(({ id }) => id === worker.id);
  await keys.settled?.();
  // A worker that was added without a key has none sent until its setup says so.
  if (setup && !setup.needsKey) await workers.save({ ...setup, needsKey: true });
}
