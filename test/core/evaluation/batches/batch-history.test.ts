import { expect, test } from 'vitest';
import type { BatchPlan, EvaluationTask } from '../../../../src/core/contract';
import { unlistedInfo } from '../../../../src/core/conductor/templates/unlisted';
import { historyOf } from '../../../../src/core/evaluation/batches/batch-history';
import { conductorMethod } from '../../../../src/core/evaluation/batches/methods';
import { recordedPoolWorkers } from '../../../../src/core/evaluation/recorded/recorded-pool';
import { resultsTable } from '../../../../src/core/evaluation/tables/results-table';
import { withRecordedScore } from '../../../../src/core/graders/recorded-score';
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

test('routers learn from the results of another batch of single workers', async () => {
  const world = new World();
  await play(world, 'first', tasksOf(0, 12), { methods: SOLO }, 20);
  for (const name of ['nearest-neighbours', 'fitted-router'] as const) {
    const methods = [conductorMethod(unlistedInfo(name), SETTINGS)];
    const { score, notes } = await play(world, name, tasksOf(200, 8), { methods, history: 'before' }, 30);
    expect(score).toBe(1);
    expect(notes).not.toContain('nothing was known');
  }
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

  const history = await historyOf(batch, sources);
  expect(history.map(({ question, right, played }) => [question, right, played[0]?.workerId])).toEqual(
    SOLO.map(() => [tasks[3]?.question, expect.any(Boolean), expect.any(String)]),
  );
  expect(new Set(history.map(({ played }) => played[0]?.workerId))).toEqual(new Set(['ash', 'oak']));
  expect(await historyOf({ ...batch, createdAt: 20 }, sources)).toEqual([]);
});

test('reads the rest of a table of recorded outcomes, without the questions of the batch', async () => {
  const world = new World();
  const again = tasksOf(0, 1).map((task) => ({ ...task, id: 'the same question again' }));
  const plain = [...tasksOf(0, 24), ...again];
  const tasks = plain.map((task): EvaluationTask => {
    const answer = (worker: string, score: number) => ({
      worker,
      text: withRecordedScore(task.question, 'An answer.', { score, passMark: 1 }),
      usd: null,
      latency: null,
      input: null,
      output: null,
    });
    const isSum = task.question.includes('Add the two numbers');
    const unscored = { ...answer('ash', 0), text: 'An answer without a score.' };
    return {
      ...task,
      grader: 'recorded',
      recorded: task.id === 'task-9' ? [unscored] : [answer('ash', isSum ? 1 : 0), answer('oak', isSum ? 0 : 1)],
    };
  });
  const dataset = await addDataset(world.datasets, tasks, 'table');
  const pool = recordedPoolWorkers(['ash', 'oak', 'elm'], dataset);
  const methods = templateMethods('routing', { ...SETTINGS, pool });
  const batch = batchOf(dataset, tasks.slice(0, 4), { methods, history: 'table' });
  const page = openPage(world, { answer: knows });
  const sources = { batches: world.batches, datasets: world.datasets, runs: page.runs };
  const history = await historyOf(batch, sources);

  // 24 tasks less 4 of the batch and the one without scores, with two workers each.
  expect(history).toHaveLength(19 * 2);
  const own = new Set(tasks.slice(0, 4).map(({ question }) => question));
  for (const { question, right, played } of history) {
    expect(own).not.toContain(question);
    const isAsh = played[0]?.workerId === pool[0]?.id;
    expect(right).toBe(isAsh === question.includes('Add the two numbers'));
  }
  expect(await historyOf({ ...batch, plan: { ...batch.plan, history: 'none' } }, sources)).toEqual([]);
});

test('the runs of a table have their groups only if the batch shares no group with the rest of the table', async () => {
  const world = new World();
  const tasks = tasksOf(0, 12).map((task, index): EvaluationTask => {
    const text = withRecordedScore(task.question, null, { score: 1, passMark: 1 });
    const recorded = [{ worker: 'ash', text, usd: null, latency: null, input: null, output: null }];
    return { ...task, grader: 'recorded', group: `group ${index % 3}`, recorded };
  });
  const dataset = await addDataset(world.datasets, tasks, 'table');
  const methods = templateMethods('routing', { ...SETTINGS, pool: recordedPoolWorkers(['ash'], dataset) });
  const sources = { batches: world.batches, datasets: world.datasets, runs: { history: () => Promise.resolve([]) } };
  const groupsOf = async (tested: readonly EvaluationTask[]) => {
    const history = await historyOf(batchOf(dataset, tested, { methods, history: 'table' }), sources);
    return new Set(history.map(({ group }) => group));
  };
  expect(await groupsOf(tasks.filter(({ group }) => group === 'group 0'))).toEqual(new Set(['group 1', 'group 2']));
  expect(await groupsOf(tasks.slice(0, 2))).toEqual(new Set([undefined]));
});
