import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { unitKey } from '../../../src/core/contract';
import { createBatchStore } from '../../../src/platform/store/batches';
import { createRunStore } from '../../../src/platform/store/run-store';
import { outcome, storedBatch, storedDataset } from '../../fixtures/evaluation/batches';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { testDatabase } from './harness';

describe('batches', () => {
  it('are stored, replaced and listed newest first', async () => {
    const database = testDatabase();
    const store = createBatchStore(database);
    await store.put(storedBatch('1', { createdAt: 1 }));
    await store.put(storedBatch('2', { createdAt: 2 }));
    await store.put(storedBatch('1', { createdAt: 1, name: 'Renamed' }));
    database.close();
    const later = createBatchStore(testDatabase({ name: database.name }));
    expect((await later.list()).map(({ name }) => name)).toEqual(['Batch 2', 'Renamed']);
    expect(await later.get('2')).toEqual(storedBatch('2', { createdAt: 2 }));
    expect(await later.get('3')).toBeNull();
  });

  it('are not returned if they are damaged', async () => {
    const database = testDatabase();
    const store = createBatchStore(database);
    await store.put(storedBatch('1'));
    await database.transact(['batches'], 'readwrite', (transaction) =>
      transaction.objectStore('batches').put({ ...storedBatch('2'), plan: { repeats: 'many' } }, '2'),
    );
    expect((await store.list()).map(({ id }) => id)).toEqual(['1']);
    expect(await store.get('2')).toBeNull();
  });

  it('mark a dataset as confidential if the stored dataset has a confidential source or group', async () => {
    const database = testDatabase();
    const store = createBatchStore(database);
    await store.put(storedBatch('1'));
    const marks = async () => [await store.get('1'), ...(await store.list())].map((each) => each?.plan.datasets[0]);
    expect(await marks()).toMatchObject([{ isConfidential: false }, { isConfidential: false }]);
    for (const more of [
      { source: { kind: 'file', name: 'gpqa.csv' } as const },
      { groups: [{ group: 'gpqa', tasks: 4 }] },
    ]) {
      const record = { storedUnder: 'key', dataset: storedDataset('sums', 4, more) };
      await database.transact(['datasets'], 'readwrite', (transaction) =>
        transaction.objectStore('datasets').put(record, 'sums'),
      );
      expect(await marks()).toMatchObject([{ isConfidential: true }, { isConfidential: true }]);
    }
  });

  it('are deleted with their own outcomes, and the outcomes of other batches stay', async () => {
    const store = createBatchStore(testDatabase());
    await store.put(storedBatch('1'));
    await store.addOutcomes([outcome(true, { batchId: '1' }), outcome(true, { batchId: '10' })]);
    await store.remove('1');
    expect(await store.get('1')).toBeNull();
    expect(await store.outcomes('1')).toEqual([]);
    expect(await store.outcomes('10')).toHaveLength(1);
  });
});

describe('outcomes', () => {
  it('are replaced by a later outcome of the same unit (task, method and repeat)', async () => {
    const store = createBatchStore(testDatabase());
    await store.addOutcomes([outcome(null), outcome(true, { repeat: 1 })]);
    await store.addOutcomes([outcome(true)]);
    const found = await store.outcomes('batch');
    expect(new Map(found.map((each) => [each.repeat, each.status]))).toEqual(
      new Map([
        [0, 'graded'],
        [1, 'graded'],
      ]),
    );
  });

  it('are all returned, even if there are more than 10,000', async () => {
    const store = createBatchStore(testDatabase());
    const many = Array.from({ length: 10_001 }, (_, index) => outcome(true, { taskId: `t${index}` }));
    await store.addOutcomes(many);
    expect(new Set((await store.outcomes('batch')).map(unitKey))).toEqual(new Set(many.map(unitKey)));
  });

  it('are removed for the given units only', async () => {
    const store = createBatchStore(testDatabase());
    await store.addOutcomes([outcome(true), outcome(null, { taskId: 't1' })]);
    await store.removeOutcomes('batch', [outcome(null, { taskId: 't1' })]);
    expect(await store.outcomes('batch')).toEqual([outcome(true)]);
  });

  it('are not returned if they are damaged', async () => {
    const database = testDatabase();
    const store = createBatchStore(database);
    await store.addOutcomes([outcome(true)]);
    await database.transact(['outcomes'], 'readwrite', (transaction) =>
      transaction.objectStore('outcomes').put({ ...outcome(true), status: 'guessed' }, ['batch', 'x']),
    );
    expect(await store.outcomes('batch')).toEqual([outcome(true)]);
  });

  it('are kept when their run is deleted, and when all runs are deleted', async () => {
    const database = testDatabase();
    const [store, runs] = [createBatchStore(database), createRunStore(database)];
    await runs.addRuns([stampEvents(finishedRunBodies(), { runId: 'run-1' })]);
    await store.addOutcomes([outcome(true, { runId: 'run-1' })]);
    await runs.delete('run-1');
    expect(await store.outcomes('batch')).toHaveLength(1);
    await runs.deleteAll();
    expect(await store.outcomes('batch')).toHaveLength(1);
  });
});
