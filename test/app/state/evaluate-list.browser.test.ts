import { expect, it } from 'vitest';
import { EvaluateState } from '../../../src/app/state/evaluate.svelte';
import type { EvaluationDesk } from '../../../src/app/services';
import type { BatchProgress } from '../../../src/core/contract';
import { storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore } from '../../fixtures/evaluation/memory-stores';

it('keeps a batch that runs in another tab', async () => {
  const batches = createMemoryBatchStore();
  await batches.put(storedBatch('batch'));
  let status: BatchProgress['status'] = 'running';
  const runner = { live: () => null, progress: async () => ({ status }) };
  const state = new EvaluateState({ batches, runner } as unknown as EvaluationDesk);
  await state.remove('batch');
  expect(state.fault).toMatchObject({ code: 'run-busy' });
  expect(await batches.list()).toHaveLength(1);
  status = 'paused';
  await state.remove('batch');
  expect(state.fault).toBeNull();
  expect(await batches.list()).toEqual([]);
});
