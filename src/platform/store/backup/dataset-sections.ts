/**
 * @file Backup sections of datasets. The tasks of a dataset come first, one per line. The restore stages them: they are stored,
 * but belong to no dataset yet. The line of the dataset comes later. If all its tasks are staged by then, they become the tasks
 * of the dataset. Backups leave out datasets whose tasks must not leave the browser.
 */
import * as z from 'zod/mini';
import { boundsProblem, type Dataset, type EvaluationTask, type RestoreMode } from '../../../core/contract';
import { datasetSchema, evaluationTaskSchema } from '../../../core/contract/evaluation/dataset-schema';
import { isSame } from '../compare-runs';
import type { Database } from '../database';
import {
  DATASET_STORES,
  deleteTasks,
  outlineEntry,
  publishTasks,
  readDataset,
  readTask,
  type Outline,
  type StoredDataset,
} from '../dataset-records';
import { keysUnder, pagesOf } from '../pages';
import { defineSection, type BackupSection, type Checked, type Outcome } from './section';

/** Number of tasks that are read at a time. The tests of one programming task can be tens of MB long. */
const TASKS_AT_A_TIME = 8;

const taskShape = z.object({
  dataset: z.string().check(z.minLength(1)),
  index: z.int().check(z.nonnegative()),
  task: evaluationTaskSchema,
});
interface TaskLine {
  readonly dataset: string;
  readonly index: number;
  readonly task: EvaluationTask;
}

/**
 * The key under which restored tasks are staged until their dataset is restored.
 * @param here the dataset with this id that is already in this browser. Its key must not be reused
 */
function stagedUnder(id: string, here: StoredDataset | null): string {
  const key = `restored ${id}`;
  return here?.storedUnder === key ? `${key} again` : key;
}

/** Whether the restore keeps a stored dataset unchanged. */
const isKept = (stored: StoredDataset | null, mode: RestoreMode): stored is StoredDataset =>
  stored !== null && (mode === 'merge' || stored.dataset.isConfidential);

/** The sections of tasks and of datasets for one backup or one restore. */
export function datasetSections(database: Database): readonly [tasks: BackupSection, datasets: BackupSection] {
  const staged = new Set<string>();
  return [tasksSection(database, staged), datasetsSection(database, staged)];
}

/** @param staged is filled with the ids of the datasets whose tasks this restore stages */
function tasksSection(database: Database, staged: Set<string>): BackupSection {
  return defineSection<TaskLine>({
    name: 'tasks',
    one: 'task of a dataset',
    many: 'tasks of datasets',
    stores: ['tasks'],
    async count() {
      const open = (await storedDatasets(database)).filter(({ dataset }) => !dataset.isConfidential);
      return open.reduce((sum, { dataset }) => sum + dataset.tasks, 0);
    },
    async *read(signal) {
      for (const { storedUnder, dataset } of await storedDatasets(database)) {
        if (dataset.isConfidential) continue;
        for await (const page of pagesOf(database, 'tasks', keysUnder(storedUnder), TASKS_AT_A_TIME)) {
          signal.throwIfAborted();
          for (const { key, value } of page) yield { dataset: dataset.id, index: key[1], task: value.task };
        }
      }
    },
    check(value): Checked<TaskLine> {
      const beyond = boundsProblem(value);
      if (beyond !== null) return { ok: false, message: `It cannot be read: ${beyond}` };
      const parsed = z.safeParse(taskShape, value);
      return parsed.success
        ? { ok: true, item: parsed.data }
        : { ok: false, message: 'This version of Podium can’t read the task.' };
    },
    idOf: ({ dataset, index }) => JSON.stringify([dataset, index]),
    async put(items, mode) {
      const { here, outcomes } = await compareTasks(database, items, mode);
      const restored = items.filter(({ dataset }) => !isKept(here.get(dataset) ?? null, mode));
      const ids = new Set(restored.map(({ dataset }) => dataset));
      await database.transact(DATASET_STORES, 'readwrite', async (transaction) => {
        // Deletes staged tasks that an earlier restore left behind when it was stopped.
        for (const id of ids) {
          if (!staged.has(id)) await deleteTasks(transaction, stagedUnder(id, here.get(id) ?? null));
        }
        for (const { dataset, index, task } of restored) {
          const storedUnder = stagedUnder(dataset, here.get(dataset) ?? null);
          await transaction.objectStore('stagings').put(Date.now(), storedUnder);
          await transaction.objectStore('tasks').put({ storedUnder, task }, [storedUnder, index]);
        }
      });
      for (const id of ids) staged.add(id);
      return outcomes;
    },
    // Tasks are deleted with their dataset.
    async *prune() {},
  });
}

async function compareTasks(database: Database, items: readonly TaskLine[], mode: RestoreMode) {
  const here = new Map((await storedDatasets(database)).map((stored) => [stored.dataset.id, stored]));
  const outcomes = await database.transact(['tasks'], 'readonly', (transaction) =>
    Promise.all(
      items.map(async ({ dataset, index, task }): Promise<Outcome> => {
        const stored = here.get(dataset) ?? null;
        if (!stored) return 'added';
        const found = await transaction.objectStore('tasks').get([stored.storedUnder, index]);
        if (isSame(found?.task, task)) return 'present';
        return isKept(stored, mode) ? 'kept' : 'updated';
      }),
    ),
  );
  return { here, outcomes };
}

/** @param staged the ids of the datasets whose tasks this restore has staged */
function datasetsSection(database: Database, staged: ReadonlySet<string>): BackupSection {
  return defineSection<Dataset>({
    name: 'datasets',
    one: 'dataset',
    many: 'datasets',
    stores: ['datasets', 'outlines'],
    usedBy: 'batches',
    count: async () => (await storedDatasets(database)).filter(({ dataset }) => !dataset.isConfidential).length,
    async *read(_signal, leftOut) {
      for (const { dataset } of await storedDatasets(database)) {
        if (!dataset.isConfidential) yield dataset;
        else leftOut(`The dataset “${dataset.name}” is left out, because its tasks must not leave this browser.`);
      }
    },
    check(value): Checked<Dataset> {
      const beyond = boundsProblem(value);
      if (beyond !== null) return { ok: false, message: `It cannot be read: ${beyond}` };
      const parsed = z.safeParse(datasetSchema, value);
      return parsed.success
        ? { ok: true, item: parsed.data }
        : { ok: false, message: 'This version of Podium can’t read the dataset.' };
    },
    idOf: ({ id }) => id,
    async put(items, mode) {
      const outcomes: Outcome[] = [];
      for (const dataset of items) {
        const outcome = await restoreDataset(database, dataset, mode, staged.has(dataset.id));
        if (outcome) outcomes.push(outcome);
      }
      return outcomes;
    },
    async *prune(ids) {
      const extra = (await storedDatasets(database)).filter(
        ({ dataset }) => !dataset.isConfidential && !ids.has(dataset.id),
      );
      for (const { storedUnder, dataset } of extra) {
        await database.transact(DATASET_STORES, 'readwrite', async (transaction) => {
          await transaction.objectStore('datasets').delete(dataset.id);
          await deleteTasks(transaction, storedUnder);
        });
        yield 'removed' as const;
      }
    },
  });
}

/**
 * Stores a dataset whose tasks are staged.
 * @param isStaged whether this restore has staged tasks of the dataset. If `false`, any staged tasks come
 * from an earlier restore that was stopped, and they are deleted
 * @returns the outcome, or `null` if some tasks are missing and no dataset with this id is stored. The restore
 * reports the missing tasks as damage of the tasks section
 */
async function restoreDataset(
  database: Database,
  dataset: Dataset,
  mode: RestoreMode,
  isStaged: boolean,
): Promise<Outcome | null> {
  const here = (await storedDatasets(database)).find((stored) => stored.dataset.id === dataset.id) ?? null;
  const storedUnder = stagedUnder(dataset.id, here);
  const outline = isStaged ? await stagedOutline(database, storedUnder) : null;
  return database.transact(DATASET_STORES, 'readwrite', async (transaction) => {
    const outcome = (() => {
      if (here && isSame(here.dataset, dataset)) return 'present' as const;
      if (isKept(here, mode)) return 'kept' as const;
      if (outline?.length !== dataset.tasks) return here ? ('kept' as const) : null;
      return here ? ('updated' as const) : ('added' as const);
    })();
    const isNew = outcome === 'added' || outcome === 'updated';
    if (!isNew || !outline) await deleteTasks(transaction, storedUnder);
    else await publishTasks(transaction, { storedUnder, dataset }, outline);
    return outcome;
  });
}

/**
 * The outline of the staged tasks: their ids and groups. `null` if the sequence of tasks has a gap or a task cannot be read.
 */
async function stagedOutline(database: Database, storedUnder: string): Promise<Outline | null> {
  const outline: Outline[number][] = [];
  for await (const page of pagesOf(database, 'tasks', keysUnder(storedUnder), TASKS_AT_A_TIME)) {
    for (const { key, value } of page) {
      const task = readTask(value.task);
      if (!task || key[1] !== outline.length) return null;
      outline.push(outlineEntry(task));
    }
  }
  return outline;
}

async function storedDatasets(database: Database): Promise<readonly StoredDataset[]> {
  const values = await database.transact(['datasets'], 'readonly', (transaction) =>
    transaction.objectStore('datasets').getAll(),
  );
  return values.flatMap((value) => readDataset(value) ?? []);
}
