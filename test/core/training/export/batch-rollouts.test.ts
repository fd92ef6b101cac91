import { expect, it } from 'vitest';
import type { Outcome } from '../../../../src/core/contract';
import { unitsOf } from '../../../../src/core/evaluation/batches/units';
import { readRollout, type Rollout } from '../../../../src/core/training/export/rollout-format';
import { batchRolloutLines } from '../../../../src/core/training/export/rollout-export';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import {
  addDataset,
  batchOf,
  memoryRuns,
  practiceMethods,
  practicePlayer,
  practiceTasks,
} from '../../../fixtures/evaluation/practice';

it('groups the rollouts of a batch by task and method, with rewards from its verdicts, and leaves out confidential tasks', async () => {
  const tasks = practiceTasks(3);
  const datasets = createMemoryDatasetStore();
  const [alone, , , , , rules, changed] = practiceMethods();
  if (!alone || !rules || !changed) throw new Error('There are no methods.');
  const dataset = await addDataset(datasets, tasks);
  const batch = batchOf(dataset, tasks, { methods: [alone, rules, changed], repeats: 2 });
  const runs = memoryRuns();
  const player = practicePlayer({ datasets, batches: createMemoryBatchStore(), store: runs });
  const { signal } = new AbortController();
  const outcomes: Outcome[] = [];
  for await (const some of player.play(batch, unitsOf(batch.plan), { history: [] }, signal)) outcomes.push(...some);

  const store = { read: async (id: string) => runs.runs.get(id) ?? [] };
  const rollouts: Rollout[] = [];
  for await (const line of batchRolloutLines(store, batch, outcomes, { signal })) {
    const read = readRollout(line);
    if (!read.ok) throw new Error(read.message);
    rollouts.push(read.rollout);
  }

  const secret = { ...batch.plan, datasets: batch.plan.datasets.map((each) => ({ ...each, isConfidential: true })) };
  const confidential = batchRolloutLines(store, { ...batch, plan: secret }, outcomes, { signal });
  expect(await confidential.next()).toMatchObject({ done: true });

  const groups = new Map<string, Rollout[]>();
  for (const rollout of rollouts) groups.set(rollout.group, [...(groups.get(rollout.group) ?? []), rollout]);
  // Only two of the three methods have rollouts, because the ablation changes the Conductor's workflow.
  expect(groups.size).toBe(3 * 2);
  for (const group of groups.values()) {
    expect(group).toHaveLength(2);
    expect(new Set(group.map(({ question }) => question)).size).toBe(1);
    for (const { id, reward } of group) {
      const outcome = outcomes.find(({ runId }) => id.startsWith(`${runId}/`));
      expect(reward).toBe(outcome?.verdicts.strict?.correct ? 1 : 0.5);
    }
  }
});
