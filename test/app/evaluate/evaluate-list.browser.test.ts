import { expect, it } from 'vitest';
import { EvaluateState } from '../../../src/app/evaluate/evaluate.svelte';
import { batchLock } from '../../../src/core/contract';
import { createRemoval } from '../../../src/core/evaluation/batches/removal';
import { batchPlan, storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { addDataset } from '../../fixtures/evaluation/practice';
import { MemoryLocks } from '../../fixtures/memory-locks';

async function setUp() {
  const [batches, datasets, locks] = [createMemoryBatchStore(), createMemoryDatasetStore(), new MemoryLocks()];
  const [planned] = batchPlan().datasets;
  if (!planned) throw new Error('The plan has no dataset.');
  await addDataset(datasets, [], planned.id);
  await batches.put(storedBatch('batch'));
  const removal = createRemoval({ batches, datasets, locks: locks.tab() });
  const runner = { live: () => null, progress: () => Promise.reject(new Error('unused')) };
  const release = await locks.tab().acquire(batchLock('batch'));
  if (!release) throw new Error('The lock is held.');
  const state = new EvaluateState({ batches, datasets, runner, removal });
  return { state, batches, datasets, release, planned };
}

it('does not delete a batch that runs in another tab', async () => {
  const { state, batches, release } = await setUp();
  await state.remove('batch');
  expect(state.fault).toMatchObject({ code: 'run-busy' });
  expect(await batches.list()).toHaveLength(1);
  release();
  await state.remove('batch');
  expect(state.fault).toBeNull();
  expect(await batches.list()).toEqual([]);
});

it('does not delete the dataset of a running batch, and names the batch to stop', async () => {
  const { state, batches, datasets, release, planned } = await setUp();
  const [batch] = await batches.list();
  await state.removeDataset(planned.id);
  expect(state.fault).toMatchObject({
    code: 'run-busy',
    message: `The batch “${batch?.name}” is running. Stop it, then delete its dataset.`,
  });
  expect(await datasets.list()).toHaveLength(1);
  release();
  await state.removeDataset(planned.id);
  expect(state.fault).toBeNull();
  expect(await datasets.list()).toEqual([]);
});
