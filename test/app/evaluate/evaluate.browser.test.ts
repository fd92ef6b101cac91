/** @file Tests the Evaluate pages with services in memory. The test controls the batch runner. */
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { EvaluationDesk } from '../../../src/app/services';
import {
  fault,
  unitKey,
  type BatchProgress,
  type DatasetImporter,
  type DatasetTable,
  type LiveBatch,
  type Outcome,
  type Unit,
} from '../../../src/core/contract';
import { HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { suggestMap } from '../../../src/core/evaluation/datasets/suggest-map';
import { tryReferences } from '../../../src/core/evaluation/datasets/try-references';
import { createRemoval } from '../../../src/core/evaluation/batches/removal';
import { createRecordedImporter } from '../../../src/core/evaluation/recorded/recorded-import';
import { systemClock } from '../../../src/platform/clock';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { evaluationTask, outcome, storedBatch, storedDataset } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { eventually } from '../../fixtures/eventually';
import { conductStage } from '../conduct/conduct-services';
import EvaluateHost from './EvaluateHost.svelte';
import { checkMap } from '../../../src/core/evaluation/datasets/importer';

const SIGNAL = new AbortController().signal;

const IDLE: BatchProgress = {
  status: 'paused',
  units: 8,
  done: 0,
  running: 0,
  graded: 0,
  right: 0,
  failed: 0,
  notGradable: 0,
  waiting: 0,
  usd: 0,
  unpriced: 0,
  remaining: null,
  fault: null,
};

/** A batch that runs until the test ends it. */
class HandBatch implements LiveBatch {
  progress: BatchProgress;
  readonly calls: string[];
  readonly done: Promise<BatchProgress>;
  #end: (progress: BatchProgress) => void = () => undefined;
  readonly #listeners = new Set<(progress: BatchProgress) => void>();

  constructor(
    readonly id: string,
    progress: BatchProgress,
    calls: string[],
  ) {
    this.progress = { ...progress, status: 'running' };
    this.calls = calls;
    this.done = new Promise((resolve) => (this.#end = resolve));
  }

  subscribe(listener: (progress: BatchProgress) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  show(more: Partial<BatchProgress>): void {
    this.progress = { ...this.progress, ...more };
    for (const listener of this.#listeners) listener(this.progress);
  }

  end(more: Partial<BatchProgress>): void {
    this.show(more);
    this.#end(this.progress);
  }

  pause = () => void this.calls.push('pause');
  stop = () => void this.calls.push('stop');
}

async function desk({ progress = IDLE, outcomes = [] as readonly Outcome[], stored = true, outdated = 0 } = {}) {
  const datasets = createMemoryDatasetStore();
  const batches = createMemoryBatchStore();
  const tasks = ['t0', 't1', 't2', 't3'].map((id) => evaluationTask(id, { grader: 'puzzle' }));
  const source = (async function* () {
    yield* tasks;
  })();
  const sums = storedDataset('sums', 4, { name: 'Sums', graders: ['puzzle'], source: { kind: 'practice' } });
  await datasets.add(source, () => sums, SIGNAL);
  if (stored) await batches.put(storedBatch('b1', { name: 'My batch' }));
  await batches.addOutcomes(outcomes.map((each) => ({ ...each, batchId: 'b1' })));
  const calls: string[] = [];
  let live: HandBatch | null = null;
  let current = progress;
  const start = (id: string, how: string) => {
    calls.push(how);
    live = new HandBatch(id, current, calls);
    void live.done.then((last) => {
      current = last;
      live = null;
    });
    return Promise.resolve(live);
  };
  const importer: DatasetImporter<File> = {
    known: [],
    openFile: (file) => Promise.resolve(tableOf(file.name)),
    openHub: () => Promise.reject(new Error('The hub must not be called.')),
    listHub: () => Promise.reject(new Error('The hub must not be called.')),
    check: checkMap,
    tryReferences: (tasks, signal) => tryReferences(tasks, undefined, signal),
    suggest: suggestMap,
    async *import(_table, _map, { name }) {
      yield { kind: 'progress', read: 1, of: 2, tasks: 1, skipped: 1, problems: [{ row: 2, message: 'It is empty.' }] };
      yield { kind: 'finished', dataset: storedDataset('mine', 1, { name }), skipped: 1 };
    },
  };
  const own: EvaluationDesk = {
    datasets,
    batches,
    importer,
    recorded: createRecordedImporter<File>({
      store: datasets,
      tables: createTableOpener(openTable, systemClock),
      batches,
      clock: { now: () => 5 },
    }),
    removal: createRemoval({ batches, datasets, locks: new MemoryLocks().tab() }),
    runner: {
      prepare: async (plan) => plan,
      estimate: () =>
        Promise.resolve({ units: 8, known: 0, calls: { low: 8, high: 40 }, usd: { low: 0, high: 0 }, time: 4_000 }),
      start: (id) => start(id, 'start'),
      retryFailed: (id) => start(id, 'retry'),
      live: () => live,
      progress: () => Promise.resolve(current),
      async grade(batchId: string, unit: Unit, correct: boolean) {
        calls.push(`grade ${unitKey(unit)} ${correct}`);
        await batches.addOutcomes([outcome(correct, { ...unit, batchId })]);
      },
      outdated: () => Promise.resolve(calls.includes('regrade') ? 0 : outdated),
      async regrade(batchId) {
        calls.push('regrade');
        await batches.addOutcomes([outcome(true, { batchId })]);
        return { checked: 3, nowRight: 1, nowWrong: 0, missing: 0 };
      },
    },
  };
  return { desk: own, calls, live: () => live };
}

function tableOf(name: string): DatasetTable {
  return {
    source: { kind: 'file', name },
    format: 'jsonl',
    columns: [
      { name: 'question', kind: 'text' },
      { name: 'answer', kind: 'text' },
    ],
    bytes: 100,
    rowCount: 2,
    preview: [
      name.startsWith('options')
        ? { question: 'What is 2 + 2?\nA) 3\nB) 4', answer: 'B' }
        : { question: 'What is 2 + 2?', answer: name.startsWith('worked') ? 'Two and two are\n4' : '4' },
    ],
    recognized: null,
    read: () => {
      throw new Error('The table must not be read.');
    },
  };
}

/** @param shown `list`, `new` or the id of a batch */
async function show(shown: string, own: EvaluationDesk) {
  const services = { ...conductStage().services, evaluation: () => Promise.resolve(own) };
  return render(EvaluateHost, { services, shown });
}
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('Evaluate', () => {
  test('offers a practice batch while there is no batch, and lists the datasets', async () => {
    const { desk: empty } = await desk({ stored: false });
    await show('list', empty);
    await expect.element(button('Start a practice batch')).toBeVisible();
    await expect.element(page.getByRole('region', { name: 'Datasets' }).getByText('Sums')).toBeVisible();
  });

  test('lists batches with their size, state, best method and cost', async () => {
    const answers = [true, true, false].map((correct, index) =>
      outcome(correct, { taskId: `t${index}`, method: index % 2 }),
    );
    const { desk: own } = await desk({ outcomes: answers, progress: { ...IDLE, done: 4, usd: 0.03 } });
    await show('list', own);
    const row = page.getByRole('row', { name: /My batch/ });
    await expect.element(row).toHaveTextContent('4 tasks × 2 methods');
    await expect.element(row).toHaveTextContent('Paused, 50 %');
    await expect.element(row).toHaveTextContent('100.0 % Method two');
    await expect.element(row).toHaveTextContent('$0.03');
  });

  test('imports a dataset with unknown columns once the user chooses a grader', async () => {
    const { desk: own } = await desk();
    await show('list', own);
    await button('Add a dataset').click();
    const input = document.querySelector<HTMLInputElement>('input[type=file][accept*=parquet]');
    if (!input) throw new Error('There is no file field.');
    await page.elementLocator(input).upload(new File(['{}'], 'mine.jsonl'));
    await expect.element(page.getByText('Podium doesn’t know this table. Assign its columns.')).toBeVisible();
    await page.getByLabelText('Graded by').selectOptions('Exact text');
    await expect.element(page.getByRole('list', { name: 'First tasks' })).toHaveTextContent('What is 2 + 2?');
    await button('Import').last().click();
    await expect
      .element(page.getByRole('region', { name: 'Datasets' }).getByText('mine', { exact: true }))
      .toBeVisible();
  });

  test('imports questions that contain their options, for which no column of options is needed', async () => {
    const { desk: own } = await desk();
    await show('list', own);
    await button('Add a dataset').click();
    const input = document.querySelector<HTMLInputElement>('input[type=file][accept*=parquet]');
    if (!input) throw new Error('There is no file field.');
    await page.elementLocator(input).upload(new File(['{}'], 'options.jsonl'));
    const first = page.getByRole('list', { name: 'First tasks' });
    await expect.element(first).toHaveTextContent('Multiple choice · answer B');
    const options = page.getByRole('textbox', { name: 'Options' });
    await options.fill('answer');
    await expect.element(page.getByLabelText('Answer is')).toBeVisible();
    await options.fill('');
    await expect.element(page.getByLabelText('Answer is')).not.toBeInTheDocument();
    await expect.element(first).toHaveTextContent('Multiple choice · answer B');
  });

  test('asks before it imports references that no answer can match', async () => {
    const { desk: own } = await desk();
    await show('list', own);
    await button('Add a dataset').click();
    const input = document.querySelector<HTMLInputElement>('input[type=file][accept*=parquet]');
    if (!input) throw new Error('There is no file field.');
    await page.elementLocator(input).upload(new File(['{}'], 'worked.jsonl'));
    // The suggestion is the last line of the worked answers.
    await expect.element(page.getByRole('list', { name: 'First tasks' })).toHaveTextContent('answer 4');
    await expect.element(button('Import').last()).toBeVisible();
    await page.getByLabelText('Part of the answer').selectOptions('The whole text');
    await expect
      .element(page.getByText('1 of 1 reference in the preview can’t grade an answer as right.'))
      .toBeVisible();
    await button('Import anyway').click();
    await expect
      .element(page.getByRole('region', { name: 'Datasets' }).getByText('worked', { exact: true }))
      .toBeVisible();
  });
});

const RECORDED = [
  { question: 'What is 1 + 1?', worker: 'lynx', answer: '2', reference: '2', score: 0.5 },
  { question: 'What is 1 + 1?', worker: 'wren', answer: '3', reference: '2', score: 0 },
  { question: 'What is 1 + 1?', worker: 'wren', answer: '2', reference: '2', score: 1 },
]
  .map((row) => JSON.stringify(row))
  .join('\n');

async function chooseRecorded(file = new File([RECORDED], 'router.jsonl')) {
  await button('Add recorded outcomes').click();
  const input = document.querySelector<HTMLInputElement>('input[type=file][accept*=parquet]');
  if (!input) throw new Error('There is no file field.');
  await page.elementLocator(input).upload(file);
}

describe('adding recorded outcomes', () => {
  test('previews workers and skipped rows, and labels the dataset as recorded', async () => {
    const { desk: own } = await desk({ stored: false });
    await show('list', own);
    await chooseRecorded();
    await expect.element(page.getByText('1 task, 2 workers')).toBeVisible();
    await expect
      .element(page.getByRole('list', { name: 'Skipped rows' }))
      .toHaveTextContent(
        'Row 3: An earlier row already has the outcome of this worker on this task. The earlier row is used.',
      );
    await page.getByRole('textbox', { name: 'Pass mark' }).fill('0.5');
    await page.getByText('By answer').click();
    await page.getByText('By score').click();
    await button('Import').last().click();
    const datasets = page.getByRole('region', { name: 'Datasets' });
    await expect.element(datasets.getByText('recorded', { exact: true })).toBeVisible();
    const [dataset] = (await own.datasets.list()).filter(({ recordedWorkers }) => recordedWorkers);
    expect(dataset).toMatchObject({ name: 'router', recordedWorkers: ['lynx', 'wren'], graders: ['recorded'] });
    const [task] = await own.datasets.tasks(dataset?.id ?? '', ['1']);
    expect(task?.recorded?.[0]?.text).toContain('pass mark 0.5');
  });

  test('assigns the columns of a table with one row for each task', async () => {
    const { desk: own } = await desk({ stored: false });
    await show('list', own);
    const rows = 'text,lynx,wren,lynx_note\nWhat is 1 + 1?,True,False,2\nWhat is 1 + 2?,True,True,3\n';
    await chooseRecorded(new File([rows], 'wide.csv'));
    await expect.element(page.getByText('Choose the column of the question.')).toBeVisible();
    await expect.element(button('Import').last()).toBeDisabled();
    await page.getByLabelText('Question').selectOptions('text');
    const workers = page.getByRole('list', { name: 'Workers of the table' });
    await expect.element(workers).toHaveTextContent('lynx: 2 outcomes, 100.0 % right');
    await expect.element(workers).toHaveTextContent('wren: 2 outcomes, 50.0 % right');
    await page.getByRole('textbox', { name: 'Answer' }).fill('{{worker}}_note');
    await page.getByRole('textbox', { name: 'Workers' }).fill('lynx');
    await page.getByRole('textbox', { name: 'Name' }).click();
    await expect.element(workers).not.toHaveTextContent('wren');
    await button('Import').last().click();
    await expect.poll(async () => (await own.datasets.list()).length).toBe(2);
    const [dataset] = (await own.datasets.list()).filter(({ recordedWorkers }) => recordedWorkers);
    const [task] = await own.datasets.tasks(dataset?.id ?? '', ['1']);
    expect(task?.recorded?.map(({ worker, text }) => [worker, text.split('\n')[0]])).toEqual([['lynx', '2']]);
  });

  test('rejects a table that is already imported', async () => {
    const { desk: own } = await desk({ stored: false });
    await show('list', own);
    for (const time of ['first', 'second']) {
      await chooseRecorded();
      await button('Import').last().click();
      if (time === 'first') await expect.element(page.getByText('1 task, 2 workers')).not.toBeInTheDocument();
    }
    await expect.element(page.getByRole('alert')).toHaveTextContent('This table is already imported as “router”.');
  });

  test('limits a batch with these outcomes to recorded workers and to methods with one call', async () => {
    const { desk: own } = await desk({ stored: false });
    const table = await own.recorded.openFiles([new File([RECORDED], 'router.jsonl')], SIGNAL);
    const grading = { by: 'score', passMark: 1 } as const;
    await own.recorded.add(table, { name: 'Router', ...own.recorded.suggest(table), grading }, SIGNAL, () => undefined);
    await show('new', own);
    await expect.element(page.getByRole('checkbox', { name: 'lynx (recorded)' })).not.toBeInTheDocument();
    await page.getByRole('checkbox', { name: /^Router/ }).click();
    const workers = page.getByRole('region', { name: 'Workers' });
    await expect.element(workers.getByRole('checkbox', { name: 'lynx (recorded)' })).toBeChecked();
    expect(workers.getByRole('checkbox').elements()).toHaveLength(2);
    await expect.element(page.getByText('Answer format', { exact: true })).not.toBeInTheDocument();
    await expect.element(page.getByRole('checkbox', { name: 'Built in, by rules' })).toBeDisabled();
    const control = page.getByRole('group', { name: 'Equal-cost control' });
    await expect.element(page.getByText(/one of two workers is drawn/)).toBeVisible();
    await expect.element(control.getByText('Also per task')).not.toBeInTheDocument();
    await page.getByRole('checkbox', { name: /^Sums/ }).click();
    await expect
      .element(
        page.getByText('Recorded workers have answers only to the tasks of their own table. Choose only that dataset.'),
      )
      .toBeVisible();
    await page.getByRole('checkbox', { name: /^Router/ }).click();
    await expect.element(page.getByRole('checkbox', { name: 'Built in, by rules' })).toBeEnabled();
    await expect.element(page.getByRole('checkbox', { name: 'lynx (recorded)' })).not.toBeInTheDocument();
  });
});

describe('the form for a new batch', () => {
  test('lists what is missing, then shows the estimate', async () => {
    const { desk: own } = await desk();
    await show('new', own);
    await expect.element(page.getByText('Choose a dataset.')).toBeVisible();
    await expect.element(button('Start batch')).toBeDisabled();
    await page.getByRole('checkbox', { name: /^Sums/ }).click();
    await expect.element(page.getByText('Choose at least one method.')).toBeVisible();
    await page.getByRole('checkbox', { name: 'Built in, by rules' }).click();
    await expect.element(page.getByText('8 runs, 8 to 40 calls')).toBeVisible();
    await expect.element(page.getByText('free', { exact: true })).toBeVisible();
    await expect.element(button('Start batch')).toBeEnabled();
  });

  test('stores and starts the batch with a varied method and an answer format', async () => {
    const { desk: own, calls } = await desk({ stored: false });
    await show('new', own);
    await page.getByRole('checkbox', { name: /^Sums/ }).click();
    await page.getByRole('checkbox', { name: 'Built in, by rules' }).click();
    await button('Vary Built in, by rules').click();
    await expect.element(page.getByText(/is listed twice/)).toBeVisible();
    const variation = page.getByRole('group', { name: 'Built in, by rules, variation 2' });
    await variation.getByLabelText('Access').selectOptions('No step sees another');
    await page.getByText('Answer tags', { exact: true }).click();
    await button('Start batch').click();
    await eventually(() => expect(calls).toContain('start'));
    const [batch] = await own.batches.list();
    expect(batch?.plan.methods.map(({ ablation }) => ablation)).toEqual([undefined, { access: 'none' }]);
    expect(batch?.plan.datasets[0]?.taskIds).toEqual(['t0', 't1', 't2', 't3']);
    expect(batch?.plan.answerFormat).toBe('answer-tags');
    expect(batch?.name).toBe('Sums');
  });
});

test('a new variation stays open, and its field keeps the focus, after a setting is chosen', async () => {
  const { desk: own } = await desk({ stored: false });
  await show('new', own);
  await page.getByRole('checkbox', { name: 'Built in, by rules' }).click();
  await button('Vary Built in, by rules').click();
  const variation = page.getByRole('group', { name: 'Built in, by rules, variation 2' });
  const access = variation.getByLabelText('Access');
  await access.click();
  await access.selectOptions('No step sees another');
  await expect.element(page.getByText(/no step sees another/)).toBeVisible();
  await expect.element(access).toBeVisible();
  await expect.element(access).toHaveFocus();
  await variation.getByLabelText('Subtasks').selectOptions('“Solve the user question.”');
  await expect.element(variation.getByLabelText('Subtasks')).toBeVisible();
});

describe('the tasks of a new batch', () => {
  test('can be a sample of a dataset, or all tasks except a sample', async () => {
    const { desk: own } = await desk({ stored: false });
    const groups = ['Algebra', 'Geometry'].map((group) => ({ group, tasks: 4 }));
    const tasks = Array.from({ length: 8 }, (_, index) =>
      evaluationTask(`g${index}`, { grader: 'puzzle', group: index % 2 === 0 ? 'Algebra' : 'Geometry' }),
    );
    const source = (async function* () {
      yield* tasks;
    })();
    const grouped = storedDataset('grouped', 8, { name: 'Grouped', graders: ['puzzle'], groups });
    await own.datasets.add(source, () => Promise.resolve(grouped), SIGNAL);
    await show('new', own);
    await page.getByRole('checkbox', { name: /^Sums/ }).click();
    await page.getByRole('checkbox', { name: /^Grouped/ }).click();
    await page.getByRole('group', { name: 'Tasks of Sums' }).getByText('A sample', { exact: true }).click();
    await expect.element(page.getByLabelText('Groups in the sample of Sums')).not.toBeInTheDocument();
    const part = page.getByRole('group', { name: 'Tasks of Grouped' });
    await part.getByText('All but a sample').click();
    await page.getByLabelText('Tasks in the sample of Grouped').fill('8');
    await userEvent.tab();
    await expect.element(page.getByText(/The sample has all tasks of Grouped, so none are left/)).toBeVisible();
    await page.getByLabelText('Tasks in the sample of Grouped').fill('2');
    await userEvent.tab();
    await page.getByLabelText('Groups in the sample of Grouped').selectOptions('Same number from each group');
    await page.getByRole('checkbox', { name: 'Built in, by rules' }).click();
    await button('Start batch').click();
    await eventually(async () => expect(await own.batches.list()).toHaveLength(1));
    const [batch] = await own.batches.list();
    expect(batch?.plan.datasets.map(({ taskIds }) => taskIds.length)).toEqual([2, 6]);
  });
});

describe('an imported batch', () => {
  test('lists differing datasets and missing workers when its plan is used again', async () => {
    const { desk: own } = await desk({ stored: false });
    await own.batches.put(storedBatch('b1', { isImported: true }));
    await show('b1', own);
    await button('Use this plan again').click();
    await expect.element(page.getByText(/^The dataset Sums differs from the one in this batch/)).toBeVisible();
    await expect.element(page.getByText(/^This browser has no worker named “Worker a”/)).toBeVisible();
    await expect.element(button('Start batch')).toBeDisabled();
  });

  test('shows the estimate, then starts a new batch with the same plan', async () => {
    const { desk: own, calls } = await desk({ stored: false });
    const { simulated } = conductStage().services;
    const batch = storedBatch('b1', { name: 'Theirs', isImported: true });
    const [dataset] = batch.plan.datasets;
    const [method] = batch.plan.methods;
    if (!dataset || !method) throw new Error('The batch is empty.');
    const settings = { ...method.settings, pool: simulated, conductor: HEURISTIC_INFO };
    const plan = {
      ...batch.plan,
      datasets: [{ ...dataset, id: 'theirs', revision: 'revision-of-sums' }],
      methods: [{ ...method, settings }],
    };
    await own.batches.put({ ...batch, plan });
    await show('b1', own);
    await button('Use this plan again').click();
    await expect.element(page.getByText('8 runs, 8 to 40 calls')).toBeVisible();
    await button('Start batch').click();
    await eventually(() => expect(calls).toContain('start'));
    const started = (await own.batches.list()).find(({ isImported }) => !isImported);
    expect(started?.name).toBe('Theirs');
    expect(started?.plan).toMatchObject({ datasets: [{ id: 'sums' }], seed: plan.seed, repeats: plan.repeats });
  });
});

describe('a batch', () => {
  test('shows results while it runs, and can be paused', async () => {
    const { desk: own, calls, live } = await desk();
    await show('b1', own);
    await expect.element(page.getByRole('heading', { level: 1, name: 'My batch' })).toBeVisible();
    await button('Start').click();
    await expect.element(button('Pause')).toBeVisible();
    await own.batches.addOutcomes([outcome(true, { batchId: 'b1' })]);
    live()?.show({ done: 1, graded: 1, right: 1, running: 2, remaining: 40_000 });
    await expect.element(page.getByText('about 40 s left')).toBeVisible();
    await expect.element(page.getByRole('row', { name: /^Method one/ }).first()).toHaveTextContent('100.0');
    await button('Pause').click();
    expect(calls).toContain('pause');
    await expect.element(page.getByText('Waiting for 2 runs to end')).toBeVisible();
    live()?.end({ status: 'paused', running: 0 });
    await expect.element(button('Resume')).toBeVisible();
  });

  test('says that it computes the results when it has ended, instead of counting results that are not read yet', async () => {
    const { desk: own, live } = await desk({ outcomes: [outcome(true)], progress: { ...IDLE, done: 1 } });
    let release: () => void = () => undefined;
    let reading: Promise<void> = Promise.resolve();
    const outcomes = (id: string) => reading.then(() => own.batches.outcomes(id));
    await show('b1', { ...own, batches: { ...own.batches, outcomes } });
    await button('Resume').click();
    await expect.element(page.getByText(/3 of 4 runs have no result yet/)).toBeVisible();

    reading = new Promise((resolve) => (release = resolve));
    await own.batches.addOutcomes([outcome(true, { batchId: 'b1', taskId: 't1' })]);
    live()?.end({ status: 'paused', done: 2 });
    await expect.element(page.getByText('Computing the results…')).toBeVisible();
    await expect.element(page.getByText(/have no result yet/)).not.toBeInTheDocument();
    release();
    await expect.element(page.getByText(/2 of 4 runs have no result yet/)).toBeVisible();
    await expect.element(page.getByText('Computing the results…')).not.toBeInTheDocument();
  });

  test('shows that its next run could exceed the budget, and resumes with a higher budget', async () => {
    const capped = fault('cap-reached', 'The next run could exceed the budget of $1.00.');
    const { desk: own, calls } = await desk({ progress: { ...IDLE, done: 2, usd: 0.9, fault: capped } });
    const batch = storedBatch('b1', { name: 'My batch' });
    await own.batches.put({ ...batch, plan: { ...batch.plan, usd: 1 } });
    await show('b1', own);
    await expect.element(page.getByRole('alert')).toHaveTextContent('The next run could exceed the budget');
    await button('Raise the budget').click();
    await eventually(() => expect(calls).toContain('start'));
    expect((await own.batches.get('b1'))?.plan.usd).toBe(2);
  });

  test('counts failures separately from wrong answers, and can retry the failed runs', async () => {
    const failed = outcome(null, { taskId: 't1', fault: fault('timeout', 'The worker did not answer.') });
    const done = { ...IDLE, status: 'finished' as const, done: 2, graded: 1, right: 0, failed: 1 };
    const { desk: own, calls } = await desk({ progress: done, outcomes: [outcome(false), failed] });
    await show('b1', own);
    await expect
      .element(page.getByText('1 of 4 runs failed and are not counted as wrong.', { exact: false }))
      .toBeVisible();
    await button('Retry the 1 failed run').click();
    expect(calls).toEqual(['retry']);
  });

  test('offers to grade answers again if their verdicts are from an older grader, and shows what has changed', async () => {
    const done = { ...IDLE, status: 'finished' as const, done: 1, graded: 1 };
    const { desk: own, calls } = await desk({ progress: done, outcomes: [outcome(false)], outdated: 3 });
    await show('b1', own);
    await expect.element(page.getByText('3 verdicts from an older version of the grader.')).toBeVisible();
    await button('Regrade').click();
    await expect
      .element(page.getByRole('status').getByText('3 answers graded again without calls: 1 answer wrong before'))
      .toBeVisible();
    expect(calls).toEqual(['regrade']);
    await expect.element(button('Regrade')).not.toBeInTheDocument();
  });

  test('lets the user grade answers that wait for a grade', async () => {
    const waiting = outcome(true, { status: 'waiting', verdicts: {}, taskId: 't2' });
    const { desk: own, calls } = await desk({ progress: { ...IDLE, done: 1, waiting: 1 }, outcomes: [waiting] });
    await show('b1', own);
    await button('Wrong: Method one, t2').click();
    await eventually(() => expect(calls).toEqual([`grade ${unitKey(waiting)} false`]));
    await expect.element(page.getByText('Wrong', { exact: true })).toBeVisible();
  });

  test('can show only the tasks that methods disagree on, with links to their runs', async () => {
    const both = [true, false].map((correct, method) =>
      outcome(correct, { method, taskId: 't3', runId: `run-${method}` }),
    );
    const agreed = [true, true].map((correct, method) => outcome(correct, { method, taskId: 't0' }));
    const { desk: own } = await desk({ progress: { ...IDLE, done: 4 }, outcomes: [...both, ...agreed] });
    await show('b1', own);
    const tasks = page.getByRole('region', { name: 'Tasks by method' });
    await expect.element(tasks.getByText('What is t0?')).toBeVisible();
    await page.getByText('Methods disagree 1').click();
    await expect.element(tasks.getByText('What is t0?')).not.toBeInTheDocument();
    await expect
      .element(tasks.getByRole('link', { name: 'Wrong: Method two, t3' }))
      .toHaveAttribute('href', '#/runs/run-1');
  });

  test('can show each plot as a table', async () => {
    const { desk: own } = await desk({ progress: { ...IDLE, done: 1 }, outcomes: [outcome(true)] });
    await show('b1', own);
    for (const title of ['Score against cost', 'Steps per workflow', 'Worker shares', 'Rewards']) {
      await button(`Show as a table: ${title}`).click();
      const table = page.getByRole('region', { name: `${title}, table` });
      await expect.element(table.getByRole('row', { name: /^Method one/ })).toBeVisible();
    }
  });

  test('shows a message for an unknown batch', async () => {
    const { desk: own } = await desk();
    await show('gone', own);
    await expect.element(page.getByText(/This batch is not in this browser/)).toBeVisible();
  });
});
