import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import type { EvaluationTask } from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import { DATASET_STORES } from '../../../src/platform/store/dataset-records';
import { createDatasetStore } from '../../../src/platform/store/datasets';
import { evaluationTask, storedDataset } from '../../fixtures/evaluation/batches';
import { testDatabase } from './harness';

const { signal } = new AbortController();
const HOUR = 60 * 60 * 1000;

async function* arriving(tasks: readonly EvaluationTask[]) {
  yield* tasks;
}

const numbered = (count: number, more: Partial<EvaluationTask> = {}) =>
  Array.from({ length: count }, (_, index) => evaluationTask(`t${index}`, more));

/** Number of records in each object store that belongs to datasets. */
function records(database: Database) {
  return database.transact(DATASET_STORES, 'readonly', async (transaction) =>
    Object.fromEntries(
      await Promise.all(
        DATASET_STORES.map(async (name) => [name, await transaction.objectStore(name).count()] as const),
      ),
    ),
  );
}
const NOTHING = { datasets: 0, tasks: 0, outlines: 0, stagings: 0 };

describe('datasets', () => {
  it('can be read after reopening the database, with more than a thousand tasks in their original order', async () => {
    const database = testDatabase();
    const tasks = numbered(1201).map((task, index) => (index % 2 ? { ...task, group: 'odd' } : task));
    const dataset = storedDataset('d', 1201);
    expect(await createDatasetStore(database).add(arriving(tasks), () => dataset, signal)).toEqual(dataset);
    database.close();
    const later = createDatasetStore(testDatabase({ name: database.name }));
    expect(await later.list()).toEqual([dataset]);
    expect(await later.get('d')).toEqual(dataset);
    const outline = await later.outline('d');
    expect(outline.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id));
    expect(outline.slice(0, 2)).toEqual([{ id: 't0' }, { id: 't1', group: 'odd' }]);
    expect(await later.tasks('d', ['t1200', 'gone', 't3'])).toEqual([tasks[1200], tasks[3]]);
  });

  it('are listed newest first, without damaged ones', async () => {
    const database = testDatabase();
    const store = createDatasetStore(database);
    await store.add(arriving([]), () => storedDataset('1', 0, { addedAt: 1 }), signal);
    await store.add(arriving([]), () => storedDataset('2', 0, { addedAt: 2 }), signal);
    await database.transact(['datasets'], 'readwrite', (transaction) =>
      transaction.objectStore('datasets').put({ storedUnder: 'x', dataset: { id: '3' } }, '3'),
    );
    expect((await store.list()).map(({ id }) => id)).toEqual(['2', '1']);
    expect(await store.get('3')).toBeNull();
    expect(await store.outline('3')).toEqual([]);
    expect(await store.tasks('3', ['t0'])).toEqual([]);
  });

  it('replace a dataset with the same id, including its tasks', async () => {
    const database = testDatabase();
    const store = createDatasetStore(database);
    await store.add(arriving(numbered(5)), () => storedDataset('d', 5), signal);
    await store.add(arriving(numbered(2)), () => storedDataset('d', 2), signal);
    expect(await records(database)).toEqual({ datasets: 1, tasks: 2, outlines: 1, stagings: 0 });
    expect(await store.outline('d')).toHaveLength(2);
  });

  it('are removed with their tasks', async () => {
    const database = testDatabase();
    const store = createDatasetStore(database);
    await store.add(arriving(numbered(5)), () => storedDataset('d', 5), signal);
    await store.remove('d');
    expect(await records(database)).toEqual(NOTHING);
  });
});

describe('an unfinished import', () => {
  it('leaves nothing behind when its source fails, and keeps the dataset that it would have replaced', async () => {
    const database = testDatabase();
    const store = createDatasetStore(database);
    await store.add(arriving(numbered(5)), () => storedDataset('d', 5), signal);
    async function* failing() {
      yield* arriving(numbered(700));
      throw new Error('The file is damaged.');
    }
    await expect(store.add(failing(), () => storedDataset('d', 700), signal)).rejects.toThrow('damaged');
    expect(await records(database)).toEqual({ datasets: 1, tasks: 5, outlines: 1, stagings: 0 });
    expect(await store.get('d')).toEqual(storedDataset('d', 5));
  });

  it('leaves nothing behind when it is cancelled', async () => {
    const database = testDatabase();
    const controller = new AbortController();
    async function* cancelled() {
      yield* arriving(numbered(700));
      expect((await records(database)).tasks).toBe(500);
      controller.abort();
    }
    const adding = createDatasetStore(database).add(cancelled(), () => storedDataset('d', 700), controller.signal);
    await expect(adding).rejects.toMatchObject({ name: 'AbortError' });
    expect(await records(database)).toEqual(NOTHING);
  });

  it('leaves nothing behind when the dataset cannot be created', async () => {
    const database = testDatabase();
    const refuse = () => {
      throw new Error('No tasks.');
    };
    await expect(createDatasetStore(database).add(arriving(numbered(3)), refuse, signal)).rejects.toThrow();
    expect(await records(database)).toEqual(NOTHING);
  });

  it('is never listed, and its tasks are deleted by the first listing an hour after its last write', async () => {
    const database = testDatabase();
    let reached = () => {};
    const stored = new Promise<void>((resolve) => (reached = resolve));
    async function* endless() {
      yield* arriving(numbered(500));
      reached();
      await new Promise(() => {});
    }
    void createDatasetStore(database, { now: () => 0 }).add(endless(), () => storedDataset('d', 0), signal);
    await stored;
    expect(await createDatasetStore(database, { now: () => HOUR - 1 }).list()).toEqual([]);
    expect(await records(database)).toEqual({ ...NOTHING, tasks: 500, stagings: 1 });
    expect(await createDatasetStore(database, { now: () => HOUR }).list()).toEqual([]);
    expect(await records(database)).toEqual(NOTHING);
  });

  it('fails with a retryable fault if its tasks are deleted during the import', async () => {
    const database = testDatabase();
    async function* slow() {
      yield* arriving(numbered(500));
      await createDatasetStore(database, { now: () => 2 * HOUR }).list();
      yield evaluationTask('last');
    }
    const adding = createDatasetStore(database, { now: () => 0 }).add(slow(), () => storedDataset('d', 501), signal);
    await expect(adding).rejects.toMatchObject({ fault: { code: 'storage-failed', retryable: true } });
    expect(await records(database)).toEqual(NOTHING);
  });
});
