import { expect, it } from 'vitest';
import { BatchState } from '../../../src/app/evaluate/evaluate-batch.svelte';
import type { BatchRunner, Outcome } from '../../../src/core/contract';
import { outcome, storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore } from '../../fixtures/evaluation/memory-stores';

const unused = () => Promise.reject(new Error('unused'));
const runner: BatchRunner = {
  prepare: unused,
  estimate: unused,
  start: unused,
  retryFailed: unused,
  live: () => null,
  progress: unused,
  grade: () => Promise.resolve(),
  outdated: unused,
  regrade: unused,
};

it('keeps the outcomes of a newer read if an older read ends later', async () => {
  const reads: ((outcomes: readonly Outcome[]) => void)[] = [];
  const outcomes = () => new Promise<readonly Outcome[]>((resolve) => reads.push(resolve));
  const batches = { ...createMemoryBatchStore(), outcomes };
  await batches.put(storedBatch('batch'));
  const state = new BatchState({ batches, runner }, 'batch');

  const grading = [1, 2].map((repeat) => state.grade(outcome(null, { repeat }), true));
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.([outcome(true), outcome(false)]);
  await expect.poll(() => state.outcomes.length).toBe(2);
  reads[0]?.([outcome(true)]);
  await Promise.all(grading);

  expect(state.outcomes).toHaveLength(2);
});
