/**
 * @file Measures recorded outcomes on real answers: whether the shares of right answers equal those of the source in both layouts of
 * a table, and whether routing by history beats the first worker of the pool. Also routes a made-up table whose best worker depends
 * on the kind of question. Asserts nothing.
 */
import type { EvaluationTask, Table, TableRow } from '../../../src/core/contract';
import { historyOf } from '../../../src/core/evaluation/batches/batch-history';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { keepingAnswers, KeptAnswers } from '../../../src/core/evaluation/recorded/recorded-answers';
import { createRecordedImporter } from '../../../src/core/evaluation/recorded/recorded-import';
import { recordedPoolWorkers } from '../../../src/core/evaluation/recorded/recorded-pool';
import { createRecordedWorkers } from '../../../src/core/evaluation/recorded/recorded-worker';
import { resultsTable } from '../../../src/core/evaluation/tables/results-table';
import { createRecordedGrader } from '../../../src/core/graders/recorded-score';
import { createTableFiles } from '../../../src/node/eval/table-files';
import { openTable } from '../../../src/platform/datasets/open-table';
import { batchOf, memoryRuns, methodSettings, practicePlayer } from '../../fixtures/evaluation/practice';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { singleWorkerMethods, templateMethods } from '../../fixtures/evaluation/template-methods';
import { table as printTable, type Print } from '../report';

const { signal } = new AbortController();
const BY_SCORE = { by: 'score', passMark: 1 } as const;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** @param path a table with one row for each outcome: question, reference, model, response and verdict (`right`) */
export async function measureOutcomes(path: string, print: Print): Promise<void> {
  const file = await createTableFiles(openTable).openFile(path, signal);
  const rows: TableRow[] = [];
  for await (const part of file.read(signal)) rows.push(...part.rows.map(({ value }) => value));
  const shares = await Promise.all(
    [rows, wide(rows)].map(async (each) => {
      const { tasks, workers, problems } = await newWorld().preview(each);
      return [
        `${tasks}`,
        ...workers.map(({ right, outcomes }) => percent((right ?? 0) / outcomes)),
        `${problems.length}`,
      ];
    }),
  );
  const models = [...new Set(rows.map(({ model }) => String(model)))];
  const source = models.map((model) => {
    const own = rows.filter((row) => row['model'] === model);
    return percent(own.filter(({ right }) => right === true).length / own.length);
  });
  printTable(
    print,
    'Recorded outcomes, by recorded verdicts',
    ['Layout', 'tasks', ...models, 'reasons to skip'],
    [
      ['source', `${rows.length / models.length}`, ...source, '–'],
      ['one row for each outcome', ...(shares[0] ?? [])],
      ['one row for each task', ...(shares[1] ?? [])],
    ],
  );
  // The worst model comes first, so that the first worker of the pool is not the best by chance.
  await printRouting('Routing on these answers', wide(rows).map(worstFirst), print);
  await printRouting('Routing on a made-up table of three kinds of questions', madeUp(600), print);
}

/** One row for each task, with a column of verdicts and a column of answers for each model. */
function wide(rows: readonly TableRow[]): TableRow[] {
  const byQuestion = new Map<string, Record<string, unknown>>();
  for (const { question, reference, model, response, right } of rows) {
    const row = byQuestion.get(String(question)) ?? { question, reference };
    byQuestion.set(String(question), { ...row, [String(model)]: right, [`${String(model)}_response`]: response });
  }
  return [...byQuestion.values()];
}

function worstFirst(row: TableRow): TableRow {
  return Object.fromEntries(Object.entries(row).toReversed());
}

/** Each of three workers is right on 90 % of one kind of question, and on 30 % of the others. */
function madeUp(count: number): TableRow[] {
  const kinds = [
    (number: number) => `What is ${number} times ${number + 7}? Multiply the two numbers.`,
    (number: number) =>
      `Translate sentence ${number} into French: the train leaves at noon from platform ${number % 9}.`,
    (number: number) => `Which year did king ${number} of the old dynasty begin to reign, and who came after him?`,
  ];
  const names = ['owl-7b', 'lynx-8b', 'wren-9b'];
  return Array.from({ length: count }, (_, number) => {
    const kind = number % kinds.length;
    const verdicts = names.map((name, worker) => {
      const draw = ((number * 7_919 + worker * 104_729) % 100) / 100;
      return [name, draw < (worker === (kind + 1) % 3 ? 0.9 : 0.3)] as const;
    });
    return { question: kinds[kind]?.(number), ...Object.fromEntries(verdicts) };
  });
}

/** Routes the second half of the tasks by the results on the first half. */
async function printRouting(title: string, rows: readonly TableRow[], print: Print): Promise<void> {
  const world = newWorld();
  const { dataset, tasks } = await world.add(rows);
  const pool = recordedPoolWorkers(dataset.recordedWorkers ?? [], dataset);
  const settings = methodSettings({ pool });
  const half = Math.floor(tasks.length / 2);
  const [known, rest] = [tasks.slice(0, half), tasks.slice(half)];
  const solo = singleWorkerMethods(settings);
  await world.play({ ...batchOf(dataset, known, { methods: solo }), id: 'known', createdAt: 1 });
  const methods = [...templateMethods('routing', settings), ...solo];
  const before = process.cpuUsage();
  const { table } = await world.play({
    ...batchOf(dataset, rest, { methods, history: 'before' }),
    id: 'rest',
    createdAt: 2,
  });
  const { user, system } = process.cpuUsage(before);
  const scored = [...table.methods, ...table.references].map((row) => [
    row.label,
    row.mean ? percent(row.mean.mean) : '–',
  ]);
  printTable(
    print,
    `${title}: ${rest.length} tasks, after the results on ${known.length} others`,
    ['Method', 'right'],
    scored,
  );
  print(`  ${((user + system) / 1000 / (rest.length * methods.length)).toFixed(1)} ms of processor time for each run`);
}

function newWorld() {
  const datasets = createMemoryDatasetStore();
  const batches = createMemoryBatchStore();
  const kept = new KeptAnswers();
  const importer = createRecordedImporter<Table>({
    tables: { openFile: (file) => Promise.resolve(file) },
    store: datasets,
    batches,
    clock: Date,
  });
  const player = practicePlayer({
    datasets: keepingAnswers(datasets, kept),
    batches,
    store: memoryRuns(),
    graders: {
      graderFor: (_kind, profile) => (profile === 'strict' ? createRecordedGrader() : null),
      checkGradable: async () => null,
    },
    workersOn: (clock) => {
      const client = createRecordedWorkers({ clock, answers: kept });
      return () => client;
    },
  });
  return {
    preview: (rows: readonly TableRow[]) => {
      const table = tableOf(rows);
      const { map } = importer.suggest(table);
      return importer.preview(table, { map, grading: BY_SCORE }, signal, () => undefined);
    },
    add: async (rows: readonly TableRow[]) => {
      const table = tableOf(rows);
      const options = { name: 'Recorded', map: importer.suggest(table).map, grading: BY_SCORE };
      const dataset = await importer.add(table, options, signal, () => undefined);
      const ids = (await datasets.outline(dataset.id)).map(({ id }) => id);
      const tasks: readonly EvaluationTask[] = await datasets.tasks(dataset.id, ids);
      return { dataset, tasks };
    },
    play: async (batch: ReturnType<typeof batchOf>) => {
      await batches.put(batch);
      const runs = { history: () => Promise.resolve([]) };
      const history = await historyOf(batch, { batches, datasets, runs });
      for await (const outcomes of player.play(batch, unitsOf(batch.plan), { history }, signal)) void outcomes;
      return { table: resultsTable(batch, await batches.outcomes(batch.id), { profile: 'strict' }) };
    },
  };
}

function tableOf(rows: readonly TableRow[]): Table {
  return {
    source: { kind: 'file', name: 'outcomes.jsonl' },
    format: 'jsonl',
    columns: [],
    bytes: null,
    rowCount: rows.length,
    preview: rows.slice(0, 5),
    async *read() {
      yield { rows: rows.map((value, index) => ({ row: index + 1, value })), problems: [], read: 0 };
    },
  };
}
