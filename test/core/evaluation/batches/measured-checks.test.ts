import { expect, test } from 'vitest';
import { batchSchema } from '../../../../src/core/contract/evaluation/batch-schema';
import type { BatchPlan, CheckObservation, GradedRun } from '../../../../src/core/contract';
import {
  measuredOf,
  observationsOf,
  withMeasuredChecks,
} from '../../../../src/core/evaluation/batches/measured-checks';
import { readPlayOrder } from '../../../../src/core/evaluation/batches/orders';
import { batchOf, methodSettings, practiceTasks } from '../../../fixtures/evaluation/practice';
import { singleWorkerMethods } from '../../../fixtures/evaluation/template-methods';
import { createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import { addDataset } from '../../../fixtures/evaluation/practice';

const settings = methodSettings();
const [first, second] = settings.pool;
const OBSERVED: readonly CheckObservation[] = [
  { checker: first?.id ?? '', domain: 'maths', verdict: 'right', isRight: true },
  { checker: first?.id ?? '', domain: 'maths', verdict: 'right', isRight: true },
  { checker: first?.id ?? '', domain: 'maths', verdict: 'unsure', isRight: false },
  { checker: first?.id ?? '', domain: null, verdict: 'wrong', isRight: false },
  { checker: second?.id ?? '', domain: 'code', verdict: 'wrong', isRight: true },
];

async function planOf(more: Partial<BatchPlan> = {}) {
  const tasks = practiceTasks(2);
  const dataset = await addDataset(createMemoryDatasetStore(), tasks);
  return batchOf(dataset, tasks, { methods: singleWorkerMethods(settings), ...more });
}

test('a plan records what was measured of its workers, and reads it back', async () => {
  const { plan, ...batch } = await planOf();
  const measured = await withMeasuredChecks(plan, async (pool) => {
    expect(pool).toEqual(settings.pool);
    return OBSERVED;
  });
  const stored = batchSchema.parse(JSON.parse(JSON.stringify({ ...batch, plan: measured })));
  const key = (each: CheckObservation) => JSON.stringify([each.checker, each.domain, each.verdict, each.isRight]);
  expect(
    observationsOf(stored.plan.measuredChecks ?? [])
      .map(key)
      .toSorted(),
  ).toEqual(OBSERVED.map(key).toSorted());
  expect(measuredOf(stored.plan, settings.pool.slice(1, 2)).map(({ checker }) => checker)).toEqual([second?.id]);
});

test('a plan keeps what it has if nothing is measured here, or the measurements can’t be read', async () => {
  const counts = { right: { right: 1, wrong: 0, unsure: 0 }, wrong: { right: 0, wrong: 1, unsure: 0 } };
  const { plan } = await planOf({ measuredChecks: [{ checker: 'c', domain: 'maths', ...counts }] });
  expect(await withMeasuredChecks(plan, undefined)).toBe(plan);
  expect(await withMeasuredChecks(plan, async () => [])).toBe(plan);
  expect(await withMeasuredChecks(plan, () => Promise.reject(new Error('broken')))).toBe(plan);
});

test('an imported plan can’t state absurdly many planted answers', async () => {
  const counts = { right: { right: 1e9, wrong: 0, unsure: 0 }, wrong: { right: 0, wrong: 0, unsure: 0 } };
  const batch = await planOf({ measuredChecks: [{ checker: 'c', domain: 'maths', ...counts }] });
  expect(batchSchema.safeParse(batch).success).toBe(false);
});

test('the Web Worker receives the verdicts of checks in the history, and the groups of tasks', () => {
  const run: GradedRun = {
    ...{ runId: 'r', startedAt: 1, question: 'q', right: true, played: [], isOfBatch: true, group: 'sums' },
    checks: [{ checker: 'c', solver: 's', verdict: 'right', isRight: true }],
  };
  const order = { batchId: 'b', units: [], history: [run], isRetry: false, checkpoint: null };
  expect(readPlayOrder(order).history).toEqual([run]);
});
