/** @file The actions on a failed run: resume it, enter another key, raise a cap, or give the failed step to another worker. */
import {
  fault,
  FaultError,
  isReal,
  originOf,
  type KeySource,
  type PoolWorker,
  type RaisedCaps,
  type Run,
} from '../../core/contract';
import type { ForkPoint } from '../../core/runs';
import type { RaisableCap } from './stopped-by-cap';
import type { WorkersState } from './workers.svelte';

export interface RecoveryActions {
  resume(): void;
  /** Stores another key for the worker whose key was refused, then resumes the run. */
  resumeWithKey(worker: PoolWorker, key: string): void;
  /** Raises a cap for this run from now on, then resumes the run. */
  resumeWithCap(cap: RaisableCap, limit: number): void;
  /** The language models that can be chosen now, even if they were not in the pool of the run. They can answer any question. */
  readonly own: readonly PoolWorker[];
  /**
   * Proposes a fork in which another worker carries out the step.
   * @param worker a worker of the run, or a worker of the user. A worker that was not in the pool is added
   * @param others other steps of the round that are also given to this worker
   */
  reassignStep(place: StepPlace, worker: PoolWorker, others?: readonly number[]): void;
}

/** A step of a run. */
interface StepPlace {
  readonly round: number;
  readonly step: number;
}

/**
 * The workers that can carry out a failed step instead.
 * @param own see `RecoveryActions`. These workers are offered only if `isUnreadable`
 * @param isUnreadable whether the step failed because its worker is simulated and the question is not a puzzle
 */
export function othersFor(
  run: Run,
  failed: number,
  { own, isUnreadable }: { readonly own: readonly PoolWorker[]; readonly isUnreadable: boolean },
): readonly PoolWorker[] {
  const isFirst = (id: string, index: number) => run.pool.findIndex((each) => each.id === id) === index;
  const others = run.pool.filter(
    ({ id, kind }, index) => kind !== 'conductor' && index !== failed && isFirst(id, index),
  );
  if (!isUnreadable) return others;
  const able = others.filter(isReal);
  // With recursion the Conductor is the last entry of the pool, so no other worker can join.
  const joining = run.recursion ? [] : own.filter(({ id }) => run.pool.every((each) => each.id !== id));
  return [...able, ...joining];
}

export interface ResumeOptions {
  /** Called before the run is resumed. If this call fails, the run is not resumed. */
  readonly before?: () => Promise<void>;
  /** Caps that are raised for this run. */
  readonly raised?: RaisedCaps;
}

interface Parts {
  readonly keys: KeySource;
  readonly workers: WorkersState;
  resume(options?: ResumeOptions): Promise<void>;
  /** The run that failed. */
  readonly run: () => Run | null | undefined;
  /** Asks the user about a fork. */
  readonly fork: (point: ForkPoint) => void;
}

export function recoveryActions({ keys, workers, resume, run, fork }: Parts): RecoveryActions {
  return {
    resume: () => void resume(),
    resumeWithKey: (worker, key) => void resume({ before: () => storeKey(keys, workers, worker, key) }),
    resumeWithCap: (cap, limit) => void resume({ raised: { [cap]: limit } }),
    get own() {
      return workers.offered.filter(isReal);
    },
    reassignStep: ({ round, step }, { id }, others = []) => {
      const whole = run();
      const workflow = whole?.rounds[round]?.plan?.workflow;
      if (!workflow) return;
      const place = whole.pool.findIndex((each) => each.id === id);
      const worker = place < 0 ? whole.pool.length : place;
      const replaced = [step, ...others];
      const steps = workflow.steps.map((each, index) => (replaced.includes(index) ? { ...each, worker } : each));
      fork({ round, step, workflow: { steps }, ...(place < 0 ? { joining: [id] } : {}) });
    },
  };
}

const MOVED = (name: string) => `${name} has a different address now than in this run. Enter its key under Workers.`;

/** Stores the key, and marks the worker as one that needs a key. Rejects with a `FaultError` if that fails. */
async function storeKey(keys: KeySource, workers: WorkersState, worker: PoolWorker, key: string): Promise<void> {
  const setup = workers.setups.find(({ id }) => id === worker.id);
  // A run's record may name any address. A key is stored only for the address that the user has set up.
  if (!setup || setup.unconfirmed || originOf(setup.baseUrl) !== worker.origin)
    throw new FaultError(fault('worker-missing', MOVED(worker.name)));
  keys.set(worker.id, worker.origin, key);
  await keys.settled?.();
  // A key is used only if the worker's setup says that the worker needs one.
  if (!setup.needsKey) await workers.save({ ...setup, needsKey: true });
}
