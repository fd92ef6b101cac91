/**
 * @file Creates the engine from a pool file and keys. The engine executes runs for the commands `run`, `plan`,
 * `eval` and `serve`.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { BY_HAND_INFO } from '../core/conductor/by-hand';
import { maxStepsFor } from '../core/conductor/effort';
import {
  type ChangeNotices,
  type Conductor,
  type ConductorInfo,
  type Effort,
  type Locks,
  type ImageReference,
  type QuestionFile,
  type RunStore,
  type Spending,
  type WorkerDirectory,
  type Workflow,
  unlessAborted,
} from '../core/contract';
import { execute } from '../core/executor/execute';
import { createRuns } from '../core/runs/run-keeper';
import type { NewRun } from '../core/runs/new-run';
import type { Runs, RunsDependencies } from '../core/runs/runs';
import { preferredRun } from '../core/runs/preferred-run';
import { systemClock } from '../platform/clock';
import { createConductors } from './conductors';
import { UsageError } from './exit-codes';
import { missingKeys, readKeys } from './keys';
import { createMemoryImages, type MemoryImages } from './memory-images';
import { readPool, type Pool } from './pool';
import { createWorkers } from './workers';

/** Number of possible seeds. */
const SEEDS = 2 ** 32;

export interface EngineOptions {
  /** Path of a file of the format `podium-pool`. `null`: the practice pool of simulated workers. */
  readonly pool: string | null;
  /** Path of a file of keys. `null`: keys are read only from the environment. */
  readonly keys: string | null;
  readonly environment: NodeJS.ProcessEnv;
  /** Id of the Conductor. `null`: the Conductor of the pool file, else the default Conductor. */
  readonly conductor: string | null;
  /** Cap on the cost of each run, US dollars. `null`: the cap of the pool. */
  readonly usd: number | null;
  readonly store: RunStore;
  /** What workers said of planted answers. Absent: they were not measured. */
  readonly measuredChecks?: RunsDependencies['measuredChecks'];
  /** Counts the spending of all runs together. Absent: each run has only its own caps. */
  readonly spending?: Spending;
}

export interface RequestOptions {
  readonly seed?: number;
  readonly id?: string;
  /** Default: the Conductor of the engine. */
  readonly conductor?: ConductorInfo;
  /** The plan of the run, in place of a plan by the Conductor. */
  readonly plan?: Workflow;
  /** Default: the effort of the pool file. */
  readonly effort?: Effort;
  /** Files that come with the question. Default: none. */
  readonly files?: readonly QuestionFile[];
  /** Images that come with the question. `Engine.images` must hold them until the run has ended. Default: none. */
  readonly images?: readonly ImageReference[];
}

export interface Engine {
  readonly runs: Runs;
  readonly store: RunStore;
  readonly locks: Locks;
  readonly pool: Pool;
  readonly directory: WorkerDirectory;
  readonly images: MemoryImages;
  readonly conductor: ConductorInfo;
  /** All Conductors that can plan for this pool. */
  readonly conductors: readonly ConductorInfo[];
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  /** The revision of the trained policy. */
  readonly policyRevision: string;
  /**
   * Makes the request for a run with this pool and its preferences.
   * @param given `seed` overrides the seed of the pool file. If both are missing, the seed is random
   */
  request(question: string, given?: RequestOptions): NewRun;
}

/** Throws a `UsageError` or a `FaultError` if the pool, the keys or the Conductor can't be used. Makes no calls. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { store, environment } = options;
  const [pool, keys] = await Promise.all([readPool(options.pool), readKeys(options.keys, environment)]);
  const [missing] = missingKeys([...pool.setups.values()], keys);
  if (missing !== undefined) throw new UsageError(missing);
  const images = createMemoryImages();
  const { endpoints, directory } = createWorkers(pool.setups, { keys, images, clock: systemClock });
  const conductors = createConductors(pool, endpoints);
  const conductor = conductors.choose(options.conductor);
  const { preferences } = pool;
  const caps = options.usd === null ? preferences.caps : { ...preferences.caps, usd: options.usd };
  // No user is present to approve a plan or to choose among several plans.
  const unattended = { ...preferences, caps, dayUsd: null, approval: false, choice: 'vote' } as const;
  const locks = createProcessLocks();
  const { conductorFor } = conductors;
  const runs = createRuns({
    store,
    locks,
    notices: SILENT,
    clock: systemClock,
    ...(options.spending ? { spending: options.spending } : {}),
    ...(options.measuredChecks ? { measuredChecks: options.measuredChecks } : {}),
    workers: directory,
    conductorFor,
    execute,
    current: () => {
      const { temperature, maxTokens, candidates } = preferences;
      const sampling = { temperature, maxTokens };
      const workers = [...pool.all.values()];
      return Promise.resolve({
        workers,
        caps,
        dayUsd: null,
        sampling,
        candidates,
        isPrivate: false,
        approval: false,
      });
    },
    // The user gave the pool to the command, so no confirmation is needed.
    confirm: () => Promise.resolve(true),
    newId: randomUUID,
    newSeed: () => randomInt(SEEDS),
  });
  return {
    runs,
    store,
    locks,
    pool,
    directory,
    images,
    conductor,
    conductors: conductors.all,
    conductorFor,
    policyRevision: conductors.policyRevision,
    request(question, { id, files = [], images: attached = [], ...given } = {}) {
      const { seed = preferences.seed ?? randomInt(SEEDS), effort = preferences.effort } = given;
      const { conductor: info = conductor, plan = null } = given;
      const maxSteps = maxStepsFor(plan ? BY_HAND_INFO : info, effort, pool.workers);
      const input = { question, files, images: attached, pool: pool.workers, maxSteps, seed, conductor: info, plan };
      const preferred = preferredRun(input, { ...unattended, effort, seed: null }, conductorFor);
      const request = { ...preferred, leaveOutFailed: true };
      return id === undefined ? request : { ...request, id };
    },
  };
}

/** Does nothing. In the page, notices tell other tabs that stored data has changed. */
const SILENT: ChangeNotices = {
  notify: () => undefined,
  listen: () => () => undefined,
  notifyAll: () => undefined,
  listenAll: () => () => undefined,
  notifyPolicies: () => undefined,
  listenPolicies: () => () => undefined,
};

/** Locks within one process. `file-lock.ts` has the locks between processes. */
function createProcessLocks(): Locks {
  const held = new Map<string, Promise<void>>();
  return {
    acquire(name) {
      if (held.has(name)) return Promise.resolve(null);
      let free: () => void = () => undefined;
      held.set(name, new Promise((resolve) => (free = resolve)));
      let isReleased = false;
      return Promise.resolve(() => {
        // Ignores a second release, because the lock may have a new holder since the first release.
        if (isReleased) return;
        isReleased = true;
        held.delete(name);
        free();
      });
    },
    async whenFree(name, signal) {
      for (let holder = held.get(name); holder; holder = held.get(name)) await unlessAborted(holder, signal);
      signal.throwIfAborted();
    },
  };
}
