import { expect, test } from 'vitest';
import { ProposedPlan } from '../../../src/app/state/proposed-plan.svelte';
import type { PlanHistory } from '../../../src/core/runs/history';
import { gradedRuns } from '../../fixtures/graded-runs';
import { conductStage } from '../conduct/conduct-services';
import { newRunOf } from '../new-runs';
import { eventually } from '../../fixtures/eventually.ts';

const QUESTION = 'What is 2 + 2?';

/** Simulates a slow sentence model. It embeds the question when the test calls `place`. */
function slowModel(history: PlanHistory['history'] = gradedRuns('sim:alder', 'solve', 3, 4)) {
  let place: (planHistory: PlanHistory) => void = () => undefined;
  const patience: (number | undefined)[] = [];
  const historyFor = (_question: string, _signal: AbortSignal, ms?: number): Promise<PlanHistory> => {
    patience.push(ms);
    return ms === undefined ? Promise.resolve({ history }) : new Promise((resolve) => (place = resolve));
  };
  const embeddings = {
    by: 'a model',
    storedAs: 'model',
    vectors: new Map([[QUESTION, Float32Array.of(1)]]),
  };
  return { historyFor, patience, place: () => place({ history, embeddings }) };
}

test('a plan made without embeddings is replaced by a plan made with embeddings, which then runs', async () => {
  const { services } = conductStage();
  const model = slowModel();
  const plan = new ProposedPlan({ runs: { ...services.runs, historyFor: model.historyFor } });
  const request = newRunOf(services, { question: QUESTION });
  const stop = plan.follow(request);
  await eventually(() => expect(plan.proposal?.workflow).toBeTruthy());
  expect(plan.proposal?.reasons?.[0]?.nearBy).toBeUndefined();
  expect(plan.isFirst).toBe(true);
  await eventually(() => expect(model.patience).toEqual([undefined, Infinity]));
  model.place();
  await eventually(() => expect(plan.proposal?.planHistory?.embeddings?.by).toBe('a model'));
  expect(plan.proposal?.reasons?.some(({ nearBy }) => nearBy === 'a model')).toBe(true);
  expect(plan.isFirst).toBe(true);
  expect(plan.asShown(request).planHistory?.embeddings?.by).toBe('a model');
  // Another request must not get the run history of this plan.
  expect(plan.asShown({ ...request }).planHistory).toBeUndefined();
  stop();
});

test('a plan is not made again with embeddings if there are no graded runs', async () => {
  const { services } = conductStage();
  const model = slowModel([]);
  const plan = new ProposedPlan({ runs: { ...services.runs, historyFor: model.historyFor } });
  const request = newRunOf(services, { question: QUESTION });
  plan.follow(request);
  await eventually(() => expect(plan.proposal?.workflow).toBeTruthy());
  expect(model.patience).toEqual([undefined]);
});
