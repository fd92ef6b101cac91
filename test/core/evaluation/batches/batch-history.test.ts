import { expect, test } from 'vitest';
import type { BatchPlan, EvaluationTask } from '../../../../src/core/contract';
import { historyBefore } from '../../../../src/core/evaluation/batches/batch-history';
import { resultsTable } from '../../../../src/core/evaluation/tables/results-table';
import { addDataset, batchOf, methodSettings } from '../../../fixtures/evaluation/practice';
import { singleWorkerMethods, templateMethods } from '../../../fixtures/evaluation/template-methods';
import { openPage, paidMethods, World } from './world';

/** Sums and rivers in turn. The first worker of the pool, ash, knows only sums, and oak knows only rivers. */
function tasksOf(from: number, count: number): EvaluationTask[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const question =
      number % 2 === 0
        ? `What is ${number} + ${number + 7}? Add the two numbers.`
        : `Which river flows through the town of Aber${'abcdefghijklmnopqrstuvwxyz'[number % 26]}?`;
    return { id: `task-${number}`, question, reference: 'yes', grader: 'exact', domain: 'knowledge' };
  });
}

const knows = (workerId: string, prompt: string) =>
  (workerId === 'ash') === prompt.includes('Add the two numbers') ? 'yes' : 'no';

const POOL = paidMethods()[0]?.settings.pool ?? [];
const SETTINGS = methodSettings({ pool: POOL, sampling: { temperature: 0, maxTokens: 100 } });
const SOLO = singleWorkerMethods(SETTINGS);
const ROUTING = templateMethods('routing', SETTINGS);

/** Adds and runs a batch that was created at the given time. */
async function play(world: World, id: string, tasks: readonly EvaluationTask[], plan: Partial<BatchPlan>, at: number) {
  const dataset = await addDataset(world.datasets, tasks, `dataset-${id}`);
  const batch = { ...batchOf(dataset, tasks, plan), id, createdAt: at };
  await world.batches.put(batch);
  const page = openPage(world, { answer: knows });
  await (
    await page.runner.start(id)
  ).done;
  page.close();
  const outcomes = await world.batches.outcomes(id);
  const [row] = resultsTable(batch, outcomes, { profile: 'strict' }).methods;
  return { page, batch, score: row?.cells[0]?.score?.mean, notes: row?.notes.join(' ') ?? '' };
}

test('routing by history learns from the results of another batch, and says when it has nothing to go on', async () => {
  const world = new World();
  const methods = ROUTING;
  const blind = await play(world, 'blind', tasksOf(100, 8), { methods, history: 'before' }, 10);
  expect(blind.score).toBe(0.5);
  expect(blind.notes).toContain('In 8 of 8 runs, nothing was known about the workers, so their order decided.');

  await play(world, 'first', tasksOf(0, 12), { methods: SOLO }, 20);
  const informed = await play(world, 'second', tasksOf(200, 8), { methods, history: 'before' }, 30);
  expect(informed.score).toBe(1);
  expect(informed.notes).not.toContain('nothing was known');
  const none = await play(world, 'third', tasksOf(300, 8), { methods, history: 'none' }, 40);
  expect(none.score).toBe(0.5);
  expect(none.notes).toContain('because its history is “None”');
});

test('leaves out questions of the batch itself, whatever their ids, and results of later batches', async () => {
  const world = new World();
  const tasks = tasksOf(0, 4);
  await play(world, 'first', tasks, { methods: SOLO }, 20);
  const renamed = tasks
    .slice(0, 3)
    .map((task) => ({ ...task, id: `other-${task.id}`, question: ` ${task.question}\n` }));
  const { page, batch } = await play(world, 'second', renamed, { methods: ROUTING, history: 'before' }, 30);
  const sources = { batches: world.batches, datasets: world.datasets, runs: page.runs };

  const history = await historyBefore(batch, sources);
  expect(history.map(({ question, right, played }) => [question, right, played[0]?.workerId])).toEqual(
    SOLO.map(() => [tasks[3]?.question, expect.any(Boolean), expect.any(String)]),
  );
  expect(new Set(history.map(({ played }) => played[0]?.workerId))).toEqual(new Set(['ash', 'oak']));
  expect(await historyBefore({ ...batch, createdAt: 20 }, sources)).toEqual([]);
});
