/**
 * @file The records of datasets. An import first stages its tasks: they are stored, but belong to no dataset. At the end of the
 * import, one transaction publishes them as the tasks of a dataset.
 */
import * as z from 'zod/mini';
import { fault, FaultError, type Clock, type Dataset, type EvaluationTask } from '../../core/contract';
import { datasetSchema, evaluationTaskSchema } from '../../core/contract/evaluation/dataset-schema';
import type { Database, Mode, Transaction } from './database';
import { keysUnder } from './pages';

/** Every store that holds a part of a dataset. */
export const DATASET_STORES: ('datasets' | 'tasks' | 'outlines' | 'stagings')[] = [
  'datasets',
  'tasks',
  'outlines',
  'stagings',
];
type DatasetTransaction<Kind extends Mode> = Transaction<typeof DATASET_STORES, Kind>;

/** How long an import's staged tasks are kept if no more tasks arrive, in ms. A slow download may pause for several minutes. */
const PATIENCE = 60 * 60 * 1000;

const storedDatasetSchema = z.looseObject({ storedUnder: z.string().check(z.minLength(1)), dataset: datasetSchema });

export interface StoredDataset {
  /** The key of each task is this text, followed by the index of the task. */
  readonly storedUnder: string;
  readonly dataset: Dataset;
}

const outlineSchema = z.array(z.looseObject({ id: z.string(), group: z.optional(z.string()) }));
export type Outline = readonly Pick<EvaluationTask, 'id' | 'group'>[];

/** Returns `null` if the dataset is missing or damaged, or if a later version of Podium wrote it. */
export function readDataset(value: unknown): StoredDataset | null {
  return z.safeParse(storedDatasetSchema, value).data ?? null;
}

export function readOutline(value: unknown): Outline {
  const parsed = z.safeParse(outlineSchema, value);
  return parsed.success ? parsed.data : [];
}

export function outlineEntry({ id, group }: EvaluationTask): Outline[number] {
  return { id, ...(group === undefined ? {} : { group }) };
}

export function readTask(value: unknown): EvaluationTask | null {
  return z.safeParse(evaluationTaskSchema, value).data ?? null;
}

/**
 * Stages tasks. Rejects with a `FaultError` if the earlier tasks of the same import were deleted.
 * @param first the index of the first task in its dataset
 */
export async function stageTasks(
  database: Database,
  clock: Pick<Clock, 'now'>,
  storedUnder: string,
  first: number,
  tasks: readonly EvaluationTask[],
): Promise<void> {
  await database.transact(['tasks', 'stagings'], 'readwrite', async (transaction) => {
    const stagings = transaction.objectStore('stagings');
    if (first > 0 && (await stagings.getKey(storedUnder)) === undefined) throw importLost();
    const objects = transaction.objectStore('tasks');
    await Promise.all([
      stagings.put(clock.now(), storedUnder),
      ...tasks.map((task, index) => objects.put({ storedUnder, task }, [storedUnder, first + index])),
    ]);
  });
}

/**
 * Stores a dataset whose tasks are staged. A stored dataset with the same id is replaced, together with its tasks. Rejects with a
 * `FaultError` if the staged tasks were deleted.
 */
export async function publishTasks(
  transaction: DatasetTransaction<'readwrite'>,
  { storedUnder, dataset }: StoredDataset,
  outline: Outline,
): Promise<void> {
  const { id } = dataset;
  const datasets = transaction.objectStore('datasets');
  const before = readDataset(await datasets.get(id));
  // If the browser drops the connection, the transaction is repeated. Its first execution may have published the tasks.
  if (before?.storedUnder === storedUnder) return;
  const stagings = transaction.objectStore('stagings');
  if ((await stagings.getKey(storedUnder)) === undefined) throw importLost();
  await Promise.all([
    datasets.put({ storedUnder, dataset }, id),
    transaction.objectStore('outlines').put(outline, storedUnder),
    stagings.delete(storedUnder),
    ...(before ? [deleteTasks(transaction, before.storedUnder)] : []),
  ]);
}

/** Deletes the published or staged tasks under a key. */
export async function deleteTasks(transaction: DatasetTransaction<'readwrite'>, storedUnder: string): Promise<void> {
  await Promise.all([
    transaction.objectStore('tasks').delete(keysUnder(storedUnder)),
    transaction.objectStore('outlines').delete(storedUnder),
    transaction.objectStore('stagings').delete(storedUnder),
  ]);
}

/** Deletes the staged tasks of imports that have paused longer than `PATIENCE`. Their tabs have probably closed or crashed. */
export async function sweepStagings(database: Database, clock: Pick<Clock, 'now'>): Promise<void> {
  await database.transact(DATASET_STORES, 'readwrite', async (transaction) => {
    const stagings = transaction.objectStore('stagings');
    const [keys, moments] = await Promise.all([stagings.getAllKeys(), stagings.getAll()]);
    const stale = keys.filter((_, index) => !((moments[index] ?? 0) > clock.now() - PATIENCE));
    await Promise.all(stale.map((key) => deleteTasks(transaction, key)));
  });
}

function importLost(): FaultError {
  const message = 'The import paused for too long, so the tasks it had stored were deleted. Start it again.';
  return new FaultError(fault('storage-failed', message, { retryable: true }));
}
