/**
 * @file Stores datasets with their tasks. An import stores its dataset only at the end. So no dataset is
 * stored if the import fails or is canceled, or if its tab is closed.
 */
import type { Clock, Dataset, DatasetStore, EvaluationTask } from '../../core/contract';
import type { Database } from './database';
import {
  DATASET_STORES,
  deleteTasks,
  outlineEntry,
  publishTasks,
  readDataset,
  readOutline,
  readTask,
  stageTasks,
  sweepStagings,
  type StoredDataset,
} from './dataset-records';

/**
 * Tasks are stored in groups (pages). A group is stored when it has this many tasks or this much text, in UTF-16 units. One
 * programming task can have megabytes of tests.
 */
const PAGE = { tasks: 500, characters: 4 * 1024 * 1024 };

export function createDatasetStore(database: Database, clock: Pick<Clock, 'now'> = Date): DatasetStore {
  let swept: Promise<void> | null = null;

  /**
   * Deletes the tasks of interrupted imports at the first call. If this fails, the next call tries again.
   * Never rejects.
   */
  async function sweep(): Promise<void> {
    swept ??= sweepStagings(database, clock);
    await swept.catch(() => {
      swept = null;
    });
  }

  async function read(id: string): Promise<StoredDataset | null> {
    return readDataset(
      await database.transact(['datasets'], 'readonly', (transaction) => transaction.objectStore('datasets').get(id)),
    );
  }

  return {
    async list() {
      await sweep();
      const values = await database.transact(['datasets'], 'readonly', (transaction) =>
        transaction.objectStore('datasets').getAll(),
      );
      const datasets = values.flatMap((value) => readDataset(value)?.dataset ?? []);
      return datasets.toSorted((one, other) => other.addedAt - one.addedAt || (one.id < other.id ? -1 : 1));
    },
    get: async (id) => (await read(id))?.dataset ?? null,
    async add(tasks, finish, signal) {
      await sweep();
      const storedUnder = crypto.randomUUID();
      try {
        return await addTasks(storedUnder, tasks, finish, signal);
      } catch (thrown) {
        const discarded = database.transact(DATASET_STORES, 'readwrite', (transaction) =>
          deleteTasks(transaction, storedUnder),
        );
        // If this deletion fails too, `sweep` deletes the tasks later.
        await discarded.catch(() => {});
        throw thrown;
      }
    },
    async outline(id) {
      const stored = await read(id);
      if (!stored) return [];
      return readOutline(
        await database.transact(['outlines'], 'readonly', (transaction) =>
          transaction.objectStore('outlines').get(stored.storedUnder),
        ),
      );
    },
    async tasks(id, ids) {
      const stored = await read(id);
      if (!stored) return [];
      const found = await database.transact(['tasks'], 'readonly', (transaction) => {
        const byId = transaction.objectStore('tasks').index('task');
        return Promise.all(ids.map((taskId) => byId.get([stored.storedUnder, taskId])));
      });
      return found.flatMap((each) => readTask(each?.task) ?? []);
    },
    async remove(id) {
      await database.transact(DATASET_STORES, 'readwrite', async (transaction) => {
        const datasets = transaction.objectStore('datasets');
        const stored = readDataset(await datasets.get(id));
        await datasets.delete(id);
        if (stored) await deleteTasks(transaction, stored.storedUnder);
      });
    },
  };

  async function addTasks(
    storedUnder: string,
    tasks: AsyncIterable<EvaluationTask>,
    finish: () => Dataset | Promise<Dataset>,
    signal: AbortSignal,
  ): Promise<Dataset> {
    const outline: ReturnType<typeof outlineEntry>[] = [];
    let page: EvaluationTask[] = [];
    let characters = 0;
    const storePage = async () => {
      await stageTasks(database, clock, storedUnder, outline.length, page);
      outline.push(...page.map(outlineEntry));
      [page, characters] = [[], 0];
    };
    for await (const task of tasks) {
      signal.throwIfAborted();
      page.push(task);
      characters += lengthOf(task);
      if (page.length >= PAGE.tasks || characters >= PAGE.characters) await storePage();
    }
    signal.throwIfAborted();
    await storePage();
    const dataset = await finish();
    signal.throwIfAborted();
    await database.transact(DATASET_STORES, 'readwrite', (transaction) =>
      publishTasks(transaction, { storedUnder, dataset }, outline),
    );
    return dataset;
  }
}

function lengthOf({ question, reference = '', solution = '' }: EvaluationTask): number {
  return question.length + reference.length + solution.length;
}
