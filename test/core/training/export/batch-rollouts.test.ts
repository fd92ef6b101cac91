import { expect, it } from 'vitest';
import type { Outcome, StoredEvent } from '../../../../src/core/contract';
import { unitsOf } from '../../../../src/core/evaluation/batches/units';
import { followingEvent } from '../../../../src/core/runs/saved-runs';
import type { Rollout } from '../../../../src/core/training/export/rollout-format';
import { readRollout } from '../../../fixtures/rollout-lines';
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

it('groups the rollouts (graded plans) of a batch by task and method, and leaves out confidential tasks', async () => {
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
    rollouts.push(readRollout(line));
  }

  const secret = { ...batch.plan, datasets: batch.plan.datasets.map((each) => ({ ...each, isConfidential: true })) };
  const confidential = batchRolloutLines(store, { ...batch, plan: secret }, outcomes, { signal });
  expect(await confidential.next()).toMatchObject({ done: true });

  const groups = new Map<string, Rollout[]>();
  for (const rollout of rollouts) groups.set(rollout.group, [...(groups.get(rollout.group) ?? []), rollout]);
  // The third method has no rollouts, because its ablation changes the Conductor's workflow.
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

it('a grade by the user replaces the batch’s verdict as the reward, but a grader’s grade does not', async () => {
  const tasks = practiceTasks(2);
  const datasets = createMemoryDatasetStore();
  const [alone] = practiceMethods();
  if (!alone) throw new Error('There are no methods.');
  const batch = batchOf(await addDataset(datasets, tasks), tasks, { methods: [alone] });
  const runs = memoryRuns();
  const player = practicePlayer({ datasets, batches: createMemoryBatchStore(), store: runs });
  const { signal } = new AbortController();
  const outcomes: Outcome[] = [];
  for await (const some of player.play(batch, unitsOf(batch.plan), { history: [] }, signal)) outcomes.push(...some);

  const rewards = async (by: 'grader' | 'person') => {
    const read = async (id: string): Promise<readonly StoredEvent[]> => {
      const events = runs.runs.get(id) ?? [];
      const [last, own] = [events.at(-1), outcomes.find(({ runId }) => runId === id)?.verdicts.strict];
      if (!last || !own) throw new Error('The run has no verdict.');
      const clock = { now: () => last.at };
      return [...events, followingEvent(last, { type: 'run-graded', correct: !own.correct, by, detail: '' }, clock)];
    };
    const found: (number | null)[] = [];
    for await (const line of batchRolloutLines({ read }, batch, outcomes, { signal })) {
      found.push(readRollout(line).reward);
    }
    return found;
  };
  const rewardOf = (correct: boolean | undefined) => (correct ? 1 : 0.5);
  const verdicts = outcomes.map(({ verdicts }) => verdicts.strict?.correct);
  expect(verdicts).not.toEqual([]);
  expect(await rewards('grader')).toEqual(verdicts.map((correct) => rewardOf(correct)));
  expect(await rewards('person')).toEqual(verdicts.map((correct) => rewardOf(!correct)));
});
