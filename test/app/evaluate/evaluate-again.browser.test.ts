import { expect, test } from 'vitest';
import { PlanAgain } from '../../../src/app/evaluate/evaluate-again.svelte';
import type { PlanParts } from '../../../src/app/evaluate/evaluate-plan-here';
import type { BatchPlan } from '../../../src/core/contract';
import { withWeights } from '../../../src/core/evaluation/batches/weights';
import { batchMethod, batchPlan, batchWorker, storedDataset } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';

const POLICY = { ...batchMethod('one'), weights: 'theirs' };
const DATASET = storedDataset('sums', 4, { revision: 'r1' });
const ESTIMATE = { units: 4, known: 0, calls: { low: 4, high: 8 }, usd: null, time: null };
const PARTS: Omit<PlanParts, 'datasets'> = {
  workers: [batchWorker('a'), batchWorker('b')],
  conductors: [{ info: POLICY.settings.conductor, description: '', instant: true }],
  preferences: { isPrivate: false },
};

/**
 * Opens an evaluation plan.
 * @param used revision of the policy that this browser uses
 * @param methods by default, one method whose policy weights have the revision “theirs”
 */
async function opened(used: string, methods: BatchPlan['methods'] = [POLICY]): Promise<PlanAgain> {
  const datasets = createMemoryDatasetStore();
  await datasets.add(noTasks(), () => DATASET, new AbortController().signal);
  const runner = {
    prepare: (plan: BatchPlan) => withWeights(plan, () => Promise.resolve(used)),
    estimate: () => Promise.resolve(ESTIMATE),
    start: () => Promise.reject(new Error('unused')),
  };
  const again = new PlanAgain({ batches: createMemoryBatchStore(), datasets, runner }, () => PARTS);
  await again.open({ plan: batchPlan({ methods }) });
  return again;
}

async function* noTasks() {}

test('an evaluation plan is rejected if it names other policy weights than those in use here', async () => {
  const again = await opened('mine');
  expect(again).toMatchObject({ plan: null, estimate: null, fault: null });
  expect(again.problems).toEqual([
    expect.stringContaining('Method one was planned with the trained policy “theirs”, but “mine” is in use.'),
  ]);
});

test.each([
  ['names the weights in use here', 'theirs', [POLICY]],
  ['names no weights, as in older versions', 'mine', [batchMethod('one')]],
])('an evaluation plan with the trained policy can be used if it %s', async (_when, used, methods) => {
  const again = await opened(used, methods);
  expect(again).toMatchObject({ problems: [], fault: null });
  expect(again.plan?.methods[0]?.weights).toBe(used);
});
