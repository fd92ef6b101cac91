/** @file Reads the pool of the command line: a file that the page exported, or the simulated workers. */
import {
  DEFAULT_PREFERENCES,
  FaultError,
  publishedRecord,
  toPoolWorker,
  type PoolFile,
  type PoolWorker,
  type Preferences,
  type WorkerSetup,
} from '../core/contract';
import { extraFieldsProblem } from '../core/contract/worker/extra-fields';
import { simulatedPoolWorkers } from '../core/simulation/profiles';
import { PYTHON_WORKER } from '../platform/sandbox/python-entry';
import { readPoolFile } from '../platform/store/pool-file';
import { KNOWN_MODELS } from '../platform/workers/known-models';
import { presetOf } from '../platform/workers/providers';
import { UsageError } from './exit-codes';
import { readTextFile } from './read-text';

export interface Pool {
  /** The workers of the pool, in order. */
  readonly workers: readonly PoolWorker[];
  /** The settings of all workers in the file, by id, including those that are used only as the Conductor. */
  readonly setups: ReadonlyMap<string, WorkerSetup>;
  /** All workers of the file and all simulated workers, by id. */
  readonly all: ReadonlyMap<string, PoolWorker>;
  /** Id of the Conductor that the file names. `null`: the file names none, or it names a model in the browser. */
  readonly conductor: string | null;
  readonly preferences: Preferences;
  /** A sentence for each worker or Conductor in the file that is left out because it works only in the browser. */
  readonly notices: readonly string[];
}

const PRACTICE: PoolFile = { pool: null, workers: [], conductor: null, preferences: DEFAULT_PREFERENCES };

/** Throws a `UsageError` if the file can't be read or is not a valid pool. @param path `null`: the simulated workers */
export async function readPool(path: string | null): Promise<Pool> {
  return poolOf(path === null ? PRACTICE : await readFileOf(path));
}

async function readFileOf(path: string): Promise<PoolFile> {
  const text = await readTextFile(path);
  try {
    return readPoolFile(text);
  } catch (thrown) {
    throw thrown instanceof FaultError ? new UsageError(`${path}: ${thrown.fault.message}`) : thrown;
  }
}

function poolOf({ pool, workers, conductor, preferences }: PoolFile): Pool {
  const setups = new Map(workers.map((setup) => [setup.id, setup]));
  for (const setup of workers) {
    const problem = extraFieldsProblem(presetOf(setup).extraFields, setup);
    if (problem !== null) throw new UsageError(`${setup.name} has extra fields. ${problem}`);
  }
  const simulated = simulatedPoolWorkers();
  const added = workers.map((setup) => toPoolWorker(setup, publishedRecord(KNOWN_MODELS, setup)));
  const all = new Map([...simulated, ...added].map((worker) => [worker.id, worker]));
  const usual = added.length > 0 ? added : simulated;
  const wanted = pool ?? usual.map(({ id }) => id);
  const unknown = wanted.find((id) => !all.has(id) && !isBrowserOnly(id));
  if (unknown !== undefined) throw new UsageError(`The pool contains ${unknown}, but the file has no such worker.`);
  const leftOut = wanted.filter((id) => !all.has(id));
  const isLocal = conductor?.includes('local:') === true;
  return {
    workers: wanted.flatMap((id) => all.get(id) ?? []),
    setups,
    all,
    conductor: isLocal ? null : conductor,
    preferences,
    notices: [
      ...leftOut.map((id) => `The worker ${id} works only in the browser and is left out.`),
      ...(isLocal ? ['The Conductor of the pool is a model in the browser. Another Conductor plans instead.'] : []),
    ],
  };
}

/** Such as “1 worker” or “3 workers”. */
export function workerCount({ workers }: Pick<Pool, 'workers'>): string {
  return workers.length === 1 ? '1 worker' : `${workers.length} workers`;
}

/** True for local models and the Python worker. */
function isBrowserOnly(id: string): boolean {
  return id.startsWith('local:') || id === PYTHON_WORKER.id;
}
