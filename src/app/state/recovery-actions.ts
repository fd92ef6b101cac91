/**
 * @file The actions on a failed run: resume it, enter another key, raise a cap, or choose another
 * worker for the failed step.
 */
import {
  fault,
  FaultError,
  isReal,
  keyIdOf,
  originOf,
  type KeySource,
  type PoolWorker,
  type RaisedCaps,
  type Run,
} from '../../core/contract';
import type { ForkPoint } from '../../core/runs/fork';
import type { RaisableCap } from './stopped-by-cap';
import type { WorkersState } from './workers.svelte';

export interface RecoveryActions {
  resume(): void;
  /** Stores another key for the worker whose key was rejected, then resumes the run. */
  resumeWithKey(worker: PoolWorker, key: string): void;
  /** Raises a cap for this run only, then resumes the run. */
  resumeWithCap(cap: RaisableCap, limit: number): void;
  /**
   * The available language models, including those outside the run's pool. Unlike simulated
   * workers, language models can answer any question.
   */
  readonly own: readonly PoolWorker[];
  /**
   * Asks the user to confirm a fork in which another worker runs the step.
   * @param worker a worker of the run's pool, or one of `own`. If the pool lacks the worker, the fork adds it
   * @param others indexes of other steps of the round that are reassigned to this worker, too
   */
  reassignStep(place: StepPlace, worker: PoolWorker, others?: readonly number[]): void;
}

/** The indexes of a round and of a step in this round. */
interface StepPlace {
  readonly round: number;
  readonly step: number;
}

/**
 * The workers that can run a failed step instead of the step's own worker.
 * @param failed index of the step's own worker in the pool
 * @param own see `RecoveryActions`. These workers are returned only if `isUnreadable`
 * @param isUnreadable whether the step failed because a simulated worker got a question that is no puzzle
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
  // A joining worker becomes the last entry of the pool. With recursion, the Conductor must stay the last entry, so
  // no worker can join.
  const joining = run.recursion ? [] : own.filter(({ id }) => run.pool.every((each) => each.id !== id));
  return [...able, ...joining];
}

export interface ResumeOptions {
  /** Called before the run is resumed. If this call fails, the run is not resumed. */
  readonly before?: () => Promise<void>;
  /** Caps to raise for this run. */
  readonly raised?: RaisedCaps;
}

interface Parts {
  readonly keys: KeySource;
  readonly workers: WorkersState;
  resume(options?: ResumeOptions): Promise<void>;
  /** Returns the run that failed. */
  readonly run: () => Run | null | undefined;
  /** Asks the user to confirm a fork. */
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

const MOVED = (name: string) =>
  `${name} is no longer set up with the address that this run used. Enter its key under Workers.`;

/**
 * Stores the key and sets `needsKey`. Rejects with a `FaultError` if storage fails, or if the user has
 * no confirmed setup of this worker with the run's address.
 */
async function storeKey(keys: KeySource, workers: WorkersState, worker: PoolWorker, key: string): Promise<void> {
  const setup = workers.setups.find(({ id }) => id === worker.id);
  // A run from a file may name any address. Store the key only for an address that the user has set up.
  if (!setup || setup.unconfirmed || originOf(setup.baseUrl) !== worker.origin)
    throw new FaultError(fault('worker-missing', MOVED(worker.name)));
  keys.set(keyIdOf(setup), worker.origin, key);
  await keys.settled?.();
  // Calls send the stored key only if `needsKey` is set.
  if (setup.needsKey) return;
  const connection = workers.connections.find(({ id }) => id === setup.connection);
  if (connection) await workers.saveConnection({ ...connection, needsKey: true });
}
