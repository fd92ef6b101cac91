import { expect, test } from 'vitest';
import { ResultsState } from '../../../src/app/evaluate/evaluate-results.svelte';
import { eventually } from '../../fixtures/eventually.ts';
import { outcome, storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';

test('shows a fault if the results cannot be computed, and removes it when new results are computed', async () => {
  let isBroken = true;
  const pause = () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve());
  const desk = { datasets: createMemoryDatasetStore() };
  const results = new ResultsState(desk, pause);
  const batch = storedBatch('batch');
  results.show(batch, [outcome(true)]);
  await eventually(() => expect(results.fault?.code).toBe('internal'));
  expect(results.current).toBeNull();
  isBroken = false;
  results.show(batch, [outcome(true)]);
  await eventually(() => expect(results.current).not.toBeNull());
  expect(results.fault).toBeNull();
});
