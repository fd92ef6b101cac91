/**
 * @file Imports a pool file: its workers and its lessons, which wait for the user's confirmation like restored ones, and its pool,
 * which becomes a saved pool. A key never comes from a file. Storing a worker gives it the connection to the same server, if there is one.
 */
import {
  fault,
  FaultError,
  isReservedWorkerId,
  samePrompts,
  SAVED_POOL_LIMITS,
  type LearnedLessons,
  type PoolFile,
  type PoolWorker,
  type SavedPool,
  type WorkerSetup,
} from '../../core/contract';
import { withLearned } from '../../core/lessons/learned';
import type { WorkerServices } from '../services';
import type { PreferencesState } from '../state/preferences.svelte';
import type { WorkersState } from '../state/workers.svelte';

/** Maximum bytes of a file, and maximum number of its workers. */
const MOST = { bytes: 2_000_000, workers: 200 } as const;

/** What a pool file adds. */
export interface PoolImport {
  readonly pool: SavedPool;
  /** New workers, which wait for confirmation. */
  readonly added: readonly WorkerSetup[];
  /** Number of the file's workers that already exist. They stay unchanged. */
  readonly present: number;
  /** The lessons of the file, with the ids of the workers here. */
  readonly learned: readonly LearnedLessons[];
}

interface Here {
  readonly setups: readonly WorkerSetup[];
  readonly builtIn: readonly Pick<PoolWorker, 'id' | 'kind'>[];
  readonly savedPools: readonly SavedPool[];
}

/**
 * Decides what a pool file adds. Throws a `FaultError` if the pool can't be saved.
 * @param fileName the name of the file, for a pool without a name
 */
export function admitPool(
  file: PoolFile,
  fileName: string,
  { setups, builtIn, savedPools }: Here,
  newId: () => string = () => `worker:${crypto.randomUUID()}`,
): PoolImport {
  if (savedPools.length >= SAVED_POOL_LIMITS.count)
    refuse(`There are already ${SAVED_POOL_LIMITS.count} saved pools. Delete one, then import the file again.`);
  if (file.workers.length > MOST.workers) refuse(`A pool file can have at most ${MOST.workers} workers.`);
  const ids = new Map<string, string>();
  const added: WorkerSetup[] = [];
  for (const { connection: _connection, ...setup } of file.workers) {
    const twin = setups.find((each) => isSameModel(each, setup) && (each.id === setup.id || each.name === setup.name));
    const isTaken = isReservedWorkerId(setup.id) || setups.some(({ id }) => id === setup.id);
    const id = twin?.id ?? (isTaken ? newId() : setup.id);
    ids.set(setup.id, id);
    if (!twin) added.push({ ...setup, id, unconfirmed: true });
  }
  const simulated = builtIn.filter(({ kind }) => kind === 'simulated').map(({ id }) => id);
  const usual = ids.size > 0 ? [...ids.keys()] : simulated;
  const workers = (file.pool ?? usual).map((id) => {
    const here = ids.get(id) ?? (id.startsWith('local:') || builtIn.some((each) => each.id === id) ? id : undefined);
    return here ?? refuse(`The pool contains ${id}, but the file has no such worker.`);
  });
  if (workers.length === 0) refuse('The pool in this file has no workers.');
  const name = freeName(nameOf(file.name ?? fileName.replace(/\.json$/i, '')), savedPools);
  return {
    pool: { name, workers: [...new Set(workers)] },
    added,
    present: file.workers.length - added.length,
    learned: (file.preferences.prompts.learned ?? []).map((each) => withIds(each, ids)),
  };
}

/**
 * Reads a pool file, and stores its workers and its pool. Rejects with a `FaultError` if the file is invalid, and changes nothing
 * then.
 */
export async function importPool(
  services: Pick<WorkerServices, 'readPoolFile' | 'setups' | 'simulated' | 'tools'>,
  workers: Pick<WorkersState, 'setups' | 'load'>,
  preferences: Pick<PreferencesState, 'current' | 'change'>,
  file: Pick<File, 'name' | 'size' | 'text'>,
): Promise<PoolImport> {
  if (file.size > MOST.bytes) refuse('This file is too large for a pool. Choose a file that “Export pool” has saved.');
  const read = await services.readPoolFile(await file.text());
  const builtIn = [...services.simulated, ...services.tools];
  const { savedPools, prompts, restored } = preferences.current;
  const admitted = admitPool(read, file.name, { setups: workers.setups, builtIn, savedPools });
  for (const setup of admitted.added) await services.setups.put(setup);
  await workers.load();
  const wanted = admitted.learned.reduce(withLearned, restored?.prompts ?? prompts);
  preferences.change({
    savedPools: [...savedPools, admitted.pool],
    // Lessons go into prompts, so the user reads and confirms them first.
    ...(samePrompts(wanted, prompts) ? {} : { restored: { ...restored, prompts: wanted } }),
  });
  return admitted;
}

/** Lessons whose workers and Conductor have the ids that they got here. */
function withIds({ conductor, pool, lessons }: LearnedLessons, ids: ReadonlyMap<string, string>): LearnedLessons {
  const worker = conductor.replace(/^endpoint:/, '');
  return {
    conductor: conductor === worker ? conductor : `endpoint:${ids.get(worker) ?? worker}`,
    pool: pool.map((each) => ({ ...each, id: ids.get(each.id) ?? each.id })),
    lessons,
  };
}

function isSameModel(one: WorkerSetup, other: WorkerSetup): boolean {
  return one.baseUrl === other.baseUrl && one.model === other.model;
}

/** Removes invisible characters, which could hide or reorder text, and shortens the name. */
function nameOf(text: string): string {
  // Leaves room for a number.
  const plain = text
    .slice(0, SAVED_POOL_LIMITS.name - 10)
    .replace(/[\p{Cf}\p{Cs}\p{Cn}]/gu, '')
    .replace(/[\p{White_Space}\p{Cc}]+/gu, ' ')
    .trim();
  return plain || 'Imported pool';
}

/** The name, with a number if a saved pool already has it. */
function freeName(name: string, saved: readonly SavedPool[]): string {
  const isFree = (wanted: string) => saved.every((each) => each.name !== wanted);
  for (let number = 2, wanted = name; ; number++) {
    if (isFree(wanted)) return wanted;
    wanted = `${name} ${number}`;
  }
}

function refuse(message: string): never {
  throw new FaultError(fault('bad-request', message));
}
