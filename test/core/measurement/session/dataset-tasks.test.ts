import { describe, expect, it } from 'vitest';
import { fault, type Dataset, type EvaluationTask } from '../../../../src/core/contract';
import type { MeasuredDataset } from '../../../../src/core/contract/measurement/measurement';
import { parseMeasurementEvent } from '../../../../src/core/contract/measurement/measurement-schema';
import { graderFor } from '../../../../src/core/graders/grader-for';
import { reportOf } from '../../../../src/core/measurement/report/report';
import { orderWords, scopeWords } from '../../../../src/core/measurement/report/report-words';
import { offeredDatasets, type DatasetParts } from '../../../../src/core/measurement/session/dataset-tasks';
import { planFor, storedPlan } from '../../../../src/core/measurement/session/plan';
import { evaluationTask, storedDataset } from '../../../fixtures/evaluation/batches';
import { createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import { measuredWorker, measuringBrowser, planOf, rightReply, TASKS, text } from './measured';

const [ASH, BAY] = [measuredWorker('ash'), measuredWorker('bay')];
const { signal } = new AbortController();

/** A store with datasets, and the graders of their tasks. Tasks that ask for “lost” can't be graded. */
async function stored(...sets: readonly (readonly [Dataset, readonly EvaluationTask[]])[]) {
  const datasets = createMemoryDatasetStore();
  for (const [dataset, tasks] of sets) {
    const arriving = async function* () {
      yield* tasks;
    };
    await datasets.add(arriving(), () => dataset, signal);
  }
  const graders: DatasetParts['graders'] = {
    graderFor: (kind, profile) => graderFor(kind, profile),
    checkGradable: async ({ question }) => (question.includes('lost') ? fault('not-gradable', 'No.') : null),
  };
  return { datasets, graders };
}

const tasksOf = (count: number) => Array.from({ length: count }, (_, index) => evaluationTask(`t${index}`));
const measured = ({ id, name, revision, isConfidential }: Dataset): MeasuredDataset => ({
  id,
  name,
  revision,
  isConfidential,
});
const LAW = storedDataset('law', 30, { name: 'Law' });

/** Ash solves the tasks of datasets, and Bay does not. Both solve generated tasks. */
const browserOfTwo = () =>
  measuringBrowser(({ worker, prompt }) => {
    if (!prompt.startsWith('What is t')) return text(rightReply(prompt));
    return text(worker === 'ash' ? 'Answer: 4' : 'Answer: 5');
  });

const asked = (plan: { readonly workers: number }, tasks: number) => ({
  workers: [ASH, BAY].slice(0, plan.workers).map((worker) => ({ worker, tasks, checks: 3 })),
});

describe('a measurement with a dataset', () => {
  it('asks each worker other tasks of the dataset, in one order for all, and grades them with their own grader', async () => {
    const browser = browserOfTwo();
    const { measurer } = browser.tab(TASKS, await stored([LAW, tasksOf(30)]));
    const plan = planOf([ASH, BAY], { ...asked({ workers: 2 }, 36), datasets: [measured(LAW)] });
    const { state, fault: found } = await (await measurer.start(plan)).done;
    expect(found).toBeNull();
    const of = (worker: number) => state.items.filter(({ item }) => item.worker === worker && item.task !== undefined);
    const ids = of(0).map(({ item }) => item.task);
    expect(ids.length).toBeGreaterThanOrEqual(12);
    expect(new Set(ids).size).toBe(ids.length);
    expect(of(1).map(({ item }) => item.task)).toEqual(ids);
    expect(of(0).every(({ answer }) => answer?.right)).toBe(true);
    expect(of(1).some(({ answer }) => answer?.right)).toBe(false);
    expect(state.items.filter(({ item }) => item.planted !== undefined).map(({ item }) => item.task)).toEqual(
      Array(6).fill(undefined),
    );
    expect(browser.store.events.map(parseMeasurementEvent)).toEqual(browser.store.events);
    const ranking = reportOf(state, TASKS.families).rankings.find(({ scope }) => scopeWords(scope) === 'Law');
    expect(ranking?.places.map(({ worker }) => worker.id)).toEqual(['ash', 'bay']);
    expect(ranking && orderWords(ranking)).toMatch(/^ash \d+ %, bay \d+ %$/);
  });

  it('leaves out tasks that can’t be graded here, and goes on with the other domains when all tasks are asked', async () => {
    const tasks = [
      evaluationTask('t0'),
      evaluationTask('t1', { question: 'What is lost?' }),
      evaluationTask('t2', { grader: 'judge' }),
      evaluationTask('t3', { grader: 'person' }),
      evaluationTask('t4'),
    ];
    const { measurer } = browserOfTwo().tab(TASKS, await stored([LAW, tasks]));
    const plan = planOf([ASH], { ...asked({ workers: 1 }, 15), datasets: [measured(LAW)] });
    const { state } = await (await measurer.start(plan)).done;
    const given = state.items.flatMap(({ item }) => item.task ?? []);
    expect(given.toSorted()).toEqual(['t0', 't4']);
    expect(state.items).toHaveLength(18);
  });

  it('stores no answers to a confidential dataset', async () => {
    const browser = browserOfTwo();
    const secret = { ...LAW, isConfidential: true };
    const { measurer } = browser.tab(TASKS, await stored([secret, tasksOf(30)]));
    const plan = planOf([ASH], { ...asked({ workers: 1 }, 15), datasets: [measured(secret)] });
    const { state } = await (await measurer.start(plan)).done;
    const texts = state.items.map(({ item, answer }) => [item.task !== undefined, answer?.text === '']);
    expect(texts).toContainEqual([true, true]);
    expect(texts).not.toContainEqual([true, false]);
    expect(texts).not.toContainEqual([false, true]);
    expect(JSON.stringify(browser.store.events)).not.toContain('What is t');
  });

  it('repeats no task after it was stopped, and makes no call once the dataset is deleted', async () => {
    const browser = browserOfTwo();
    const parts = await stored([LAW, tasksOf(30)]);
    const { measurer } = browser.tab(TASKS, parts);
    const plan = planOf([ASH], { ...asked({ workers: 1 }, 24), datasets: [measured(LAW)] });
    const live = await measurer.start(plan);
    live.subscribe(({ items }) => {
      if (items.filter(({ item }) => item.task !== undefined).length === 3) live.stop();
    });
    expect((await live.done).state.isFinished).toBe(false);
    const { state } = await (await measurer.resume(live.id)).done;
    const given = state.items.flatMap(({ item }) => item.task ?? []);
    expect(new Set(given).size).toBe(given.length);
    expect(given.length).toBeGreaterThan(5);
    const calls = browser.calls.length;
    await parts.datasets.remove(LAW.id);
    const other = await (await measurer.start(plan)).done;
    expect(other.fault?.message).toContain('Law is no longer in this browser');
    expect(browser.calls).toHaveLength(calls);
  });
});

describe('the datasets that can take part', () => {
  it('are imported ones with tasks that rules or programs grade, with the length of their questions', async () => {
    const { datasets } = await stored(
      [storedDataset('practice', 1, { source: { kind: 'practice' } }), tasksOf(1)],
      [storedDataset('judged', 1, { graders: ['judge', 'person'] }), tasksOf(1)],
      [storedDataset('table', 1, { recordedWorkers: ['gpt'] }), tasksOf(1)],
      [LAW, [evaluationTask('t0', { question: 'word '.repeat(400) })]],
    );
    const offered = await offeredDatasets(datasets);
    expect(offered.map(({ id }) => id)).toEqual(['law']);
    expect(offered[0]?.tokens).toBeGreaterThan(300);
  });

  it('count as domains of the plan, and their longer questions as money', () => {
    const law = { ...measured(LAW), tasks: 30, tokens: 6_300 };
    const [alone, withLaw] = [planFor([{ worker: ASH }], 1), planFor([{ worker: ASH }], 1, [law])];
    expect(alone.plan.pooledBelow).toBe(50);
    expect(withLaw.plan.pooledBelow).toBe(60);
    // 1,000 more tokens a question on average, at $1 per million, with a check for every five tasks.
    const costOf = ({ plan }: typeof alone) => plan.fullCost / (3 * plan.pooledBelow);
    expect(costOf(withLaw) - costOf(alone)).toBeCloseTo((1000 / 1e6) * 1.2, 9);
    expect(storedPlan(withLaw, { seed: 1, usd: 1, revision: 1 }).datasets).toEqual([measured(LAW)]);
    expect(storedPlan(alone, { seed: 1, usd: 1, revision: 1 })).not.toHaveProperty('datasets');
  });
});
