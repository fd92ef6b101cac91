/** @file What the user can do after a run has failed: resume it, enter another key, or give the failed step to another worker. */
import { fault, FaultError, originOf, type Caps, type KeySource, type PoolWorker } from '../../core/contract';
import type { ForkStart } from './fork-plan.svelte';
import type { RaisableCap } from './stopped-by-cap';
import type { WorkersState } from './workers.svelte';

export interface WaysOn {
  resume(): void;
  /** Stores a key for the refused worker, then resumes. */
  resumeWithKey(worker: PoolWorker, key: string): void;
  /** Resumes with a raised cap, for this run only. */
  resumeWithCap(cap: RaisableCap, limit: number): void;
  /** Proposes a fork in which another worker does the step. */
  giveStepTo(place: { readonly round: number; readonly step: number }, worker: number): void;
}

export interface ResumeOptions {
  /** Done first. If it fails, the run is not resumed. */
  readonly before?: () => Promise<void>;
  /** Caps in place of those in the settings. */
  readonly caps?: Partial<Caps>;
}

interface Parts {
  readonly keys: KeySource;
  readonly workers: WorkersState;
  resume(options?: ResumeOptions): Promise<void>;
  readonly proposeFork: (fork: ForkStart) => void;
}

export function waysOn({ keys, workers, resume, proposeFork }: Parts): WaysOn {
  return {
    resume: () => void resume(),
    resumeWithKey: (worker, key) => void resume({ before: () => giveKey(keys, workers, worker, key) }),
    resumeWithCap: (cap, limit) => void resume({ caps: { [cap]: limit } }),
    giveStepTo: (place, worker) => proposeFork({ ...place, worker }),
  };
}

const MOVED = (name: string) =>
  `${name} is no longer set up with the address that this run used. Enter its key under Workers.`;

/** Stores the key, and marks the worker as needing one. Rejects with a `FaultError` if that fails. */
async function giveKey(keys: KeySource, workers: WorkersState, worker: PoolWorker, key: string): Promise<void> {
  const setup = workers.setups.find(({ id }) => id === worker.id);
  // A run's record may name any address. A key is stored only for the address that the user has set up.
  if (!setup || setup.unconfirmed || originOf(setup.baseUrl) !== worker.origin)
    throw new FaultError(fault('worker-missing', MOVED(worker.name)));
  keys.set(worker.id, worker.origin, key);
  await keys.settled?.();
  // A worker that was added without a key is sent none until its setup says so.
  if (!setup.needsKey) await workers.save({ ...setup, needsKey: true });
}
