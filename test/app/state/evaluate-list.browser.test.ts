import { expect, it } from 'vitest';
import { EvaluateState } from '../../../src/app/state/evaluate.svelte';
import type { BatchProgress } from '../../../src/core/contract';
import { storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';

it('keeps a batch that runs in another tab', async () => {
  const batches = createMemoryBatchStore();
  await batches.put(storedBatch('batch'));
  let status: BatchProgress['status'] = 'running';
  const counts = { units: 1, done: 0, running: 0, graded: 0, right: 0, failed: 0, notGradable: 0, waiting: 0 };
  const progress = async (): Promise<BatchProgress> => {
    return { ...counts, status, usd: 0, unpriced: 0, remaining: null, fault: null };
  };
  const runner = { live: () => null, progress };
  const state = new EvaluateState({ batches, datasets: createMemoryDatasetStore(), runner });
  await state.remove('batch');
  expect(state.fault).toMatchObject({ code: 'run-busy' });
  expect(await batches.list()).toHaveLength(1);
  status = 'paused';
  await state.remove('batch');
  expect(state.fault).toBeNull();
  expect(await batches.list()).toEqual([]);
});
