import { expect, test } from 'vitest';
import {
  FaultError,
  type Batch,
  type Dataset,
  type DatasetImportEvent,
  type DatasetMap,
  type EvaluationTask,
  type Table,
  type TablePart,
  type TableRow,
} from '../../../../src/core/contract';
import { createDatasetImporter } from '../../../../src/core/evaluation/datasets/importer';
import { batchPlan, storedBatch } from '../../../fixtures/evaluation/batches';

const signal = () => new AbortController().signal;

function tableOf(parts: readonly (readonly TableRow[])[], more: Partial<Table> = {}): Table {
  const rows = parts.flat();
  return {
    source: { kind: 'file', name: 'table.jsonl' },
    format: 'jsonl',
    columns: Object.keys(rows[0] ?? {}).map((name) => ({ name, kind: 'text' })),
    bytes: parts.length * 10,
    rowCount: null,
    preview: rows.slice(0, 5),
    async *read() {
      let row = 0;
      for (const [index, part] of parts.entries()) {
        const numbered = part.map((value) => ({ row: (row += 1), value }));
        yield { rows: numbered, problems: [], read: (index + 1) * 10 } satisfies TablePart;
      }
    },
    ...more,
  };
}

/** A store in memory. As the contract requires, it stores a dataset only after all tasks of the dataset have arrived. */
function memoryStore() {
  const kept: { dataset: Dataset; tasks: EvaluationTask[] }[] = [];
  return {
    kept,
    get: async () => null,
    list: async () => kept.map(({ dataset }) => dataset),
    async add(tasks: AsyncIterable<EvaluationTask>, finish: () => Dataset | Promise<Dataset>, stop: AbortSignal) {
      const arrived: EvaluationTask[] = [];
      for await (const task of tasks) {
        stop.throwIfAborted();
        arrived.push(task);
      }
      const dataset = await finish();
      kept.push({ dataset, tasks: arrived });
      return dataset;
    },
  };
}

function importer(batches: readonly Batch[] = []) {
  const store = memoryStore();
  const tables = { openFile: unused, openHub: unused, listHub: unused };
  const { import: start } = createDatasetImporter({
    store,
    tables,
    clock: { now: () => 5 },
    batches: { list: async () => batches },
  });
  return { store, start };
}
const unused = () => Promise.reject(new Error('unused'));

const COLUMNS: DatasetMap = {
  kind: 'columns',
  map: {
    grader: 'exact',
    domain: 'knowledge',
    question: { kind: 'column', column: 'q' },
    reference: 'a',
    id: 'id',
    group: 'g',
    choices: null,
    tests: null,
    solution: null,
    isConfidential: false,
  },
};
const row = (id: string, more: TableRow = {}): TableRow => ({ id, q: `Question ${id}`, a: 'yes', g: 'one', ...more });

async function collect(events: AsyncIterable<DatasetImportEvent>) {
  const all: DatasetImportEvent[] = [];
  for await (const event of events) all.push(event);
  const problems = all.flatMap((event) => (event.kind === 'progress' ? event.problems : []));
  const last = all.at(-1);
  return { problems, last, dataset: last?.kind === 'finished' ? last.dataset : null };
}

test('stores the rows as a dataset', async () => {
  const { store, start } = importer();
  const rows = [[row('1'), row('2', { g: 'two' })], [row('3')]];
  const { dataset } = await collect(start(tableOf(rows), COLUMNS, { name: 'Mine' }, signal()));
  expect(dataset).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    name: 'Mine',
    tasks: 3,
    groups: [
      { group: 'one', tasks: 2 },
      { group: 'two', tasks: 1 },
    ],
    graders: ['exact'],
    isConfidential: false,
    addedAt: 5,
    source: { kind: 'file', name: 'table.jsonl' },
  });
  expect(store.kept[0]?.tasks.map(({ id }) => id)).toEqual(['1', '2', '3']);
});

const importOf = async (rows: readonly TableRow[], map = COLUMNS, batches: readonly Batch[] = []) => {
  const { start } = importer(batches);
  const { dataset } = await collect(start(tableOf([rows]), map, { name: 'Mine' }, signal()));
  if (!dataset) throw new Error('There is no dataset.');
  return dataset;
};

test('derives the dataset id from the tasks and from whether the dataset is confidential', async () => {
  const { id } = await importOf([row('1')]);
  expect((await importOf([row('1')])).id).toBe(id);
  expect((await importOf([row('2')])).id).not.toBe(id);
  const secret: DatasetMap = { ...COLUMNS, map: { ...COLUMNS.map, isConfidential: true } };
  expect((await importOf([row('1')], secret)).id).not.toBe(id);
});

test('reuses a random id from an older version of Podium if a batch has the same tasks under that id', async () => {
  const { revision } = await importOf([row('1')]);
  const planned = { id: 'random', name: 'Mine', revision, isConfidential: false, taskIds: ['1'] };
  const batch = storedBatch('batch', { plan: batchPlan({ datasets: [planned] }) });
  expect((await importOf([row('1')], COLUMNS, [batch])).id).toBe('random');
  expect((await importOf([row('2')], COLUMNS, [batch])).id).not.toBe('random');
});

test('marks a table as confidential if a stored dataset or batch marks the same tasks as confidential', async () => {
  const { store, start } = importer();
  const add = async (name: string) =>
    (await collect(start(tableOf([[row('1')]]), COLUMNS, { name }, signal()))).dataset;
  const first = await add('GPQA');
  expect(first?.isConfidential).toBe(true);
  expect(await add('Mine')).toMatchObject({ id: first?.id, isConfidential: true });

  store.kept.length = 0;
  expect(await add('Mine')).toMatchObject({ isConfidential: false });
  const planned = { id: first?.id ?? '', name: 'GPQA', revision: first?.revision ?? '', isConfidential: true };
  const batch = storedBatch('batch', { plan: batchPlan({ datasets: [{ ...planned, taskIds: ['1'] }] }) });
  expect(await importOf([row('1')], COLUMNS, [batch])).toMatchObject({ id: first?.id, isConfidential: true });
});

test('reports unusable rows by number and imports the others', async () => {
  const { store, start } = importer();
  const rows = [
    [row('1'), row('1'), row('2', { q: ' ' }), row('3', { a: 'x'.repeat(1024 * 1024) })],
    [{ id: '4', a: 'yes' }, row('5'), row('6', { q: 7 })],
  ];
  const { problems, last } = await collect(start(tableOf(rows), COLUMNS, { name: '' }, signal()));
  expect(problems).toEqual([
    { row: 2, message: 'The id “1” is already used in row 1.' },
    { row: 3, message: 'The field “q” is missing or empty.' },
    { row: 4, message: 'The reference has 1,048,576 characters. The limit is 10,000.' },
    { row: 5, message: 'The field “q” is missing or empty.' },
  ]);
  expect(last).toMatchObject({ kind: 'finished', skipped: 4 });
  expect(store.kept[0]?.tasks.map(({ id }) => id)).toEqual(['1', '5', '6']);
});

test('reports the first 100 problems and counts all of them', async () => {
  const rows = [row('0'), ...Array.from({ length: 150 }, () => row('0'))];
  const { problems, last } = await collect(importer().start(tableOf([rows]), COLUMNS, { name: '' }, signal()));
  expect(problems).toHaveLength(100);
  expect(last).toMatchObject({ skipped: 150 });
});

test('reports rows that the reader of the table could not parse', async () => {
  const damaged = { row: 2, message: 'The line is not JSON.' };
  const table = tableOf([[]], {
    async *read() {
      yield { rows: [{ row: 1, value: row('1') }], problems: [damaged], read: 10 };
    },
  });
  const { problems, last } = await collect(importer().start(table, COLUMNS, { name: '' }, signal()));
  expect(problems).toEqual([damaged]);
  expect(last).toMatchObject({ skipped: 1 });
});

test('stores nothing if no row can be imported', async () => {
  const { store, start } = importer();
  const events = start(tableOf([[row('1', { q: '' })]]), COLUMNS, { name: '' }, signal());
  await expect(collect(events)).rejects.toThrow('No row could be imported');
  await expect(collect(start(tableOf([]), COLUMNS, { name: '' }, signal()))).rejects.toThrow(FaultError);
  expect(store.kept).toEqual([]);
});

test.each(['the signal aborts', 'the caller stops reading events'])('stores nothing when %s', async (how) => {
  const { store, start } = importer();
  const controller = new AbortController();
  let isStopped = false;
  const table = tableOf([[]], {
    async *read(stop) {
      for (let index = 1; ; index++) {
        isStopped = stop.aborted;
        stop.throwIfAborted();
        yield { rows: [{ row: index, value: row(`${index}`) }], problems: [], read: index };
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    },
  });
  const events = start(table, COLUMNS, { name: '' }, controller.signal);
  await events[Symbol.asyncIterator]().next();
  if (how === 'the signal aborts') {
    controller.abort();
    await expect(collect(events)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  } else {
    for await (const _ of events) break;
  }
  await expect.poll(() => isStopped).toBe(true);
  expect(store.kept).toEqual([]);
});

test('computes the revision from the tasks and their order, not from unused columns', async () => {
  const revision = async (...rows: TableRow[]) =>
    (await collect(importer().start(tableOf([rows]), COLUMNS, { name: '' }, signal()))).dataset?.revision;
  const first = await revision(row('1'), row('2'));
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await revision(row('1', { unused: 1 }), row('2'))).toBe(first);
  expect(await revision(row('2'), row('1'))).not.toBe(first);
  expect(await revision(row('1', { a: 'no' }), row('2'))).not.toBe(first);
});

test('marks GPQA as confidential even if the user assigns its columns manually', async () => {
  const gpqa = {
    Question: 'Which?',
    'Correct Answer': 'a',
    'Incorrect Answer 1': 'b',
    'Incorrect Answer 2': 'c',
    'Incorrect Answer 3': 'd',
  };
  const byHand: DatasetMap = {
    kind: 'columns',
    map: {
      ...COLUMNS.map,
      question: { kind: 'column', column: 'Question' },
      reference: 'Correct Answer',
      id: null,
      group: null,
    },
  };
  for (const map of [byHand, { kind: 'known', set: 'gpqa-diamond' } as const]) {
    const { dataset } = await collect(importer().start(tableOf([[gpqa]]), map, { name: '' }, signal()));
    expect(dataset?.isConfidential).toBe(true);
  }
});

test.each<[string, TableRow, Partial<Table>]>([
  ['a row contains the canary of GPQA', { q: 'Q gpqa:0000:00000000-0000-0000-0000-000000000000' }, {}],
  ['a row names GPQA', { g: 'gpqa_diamond' }, {}],
  ['the table has a column for the canary of GPQA', {}, { columns: [{ name: 'Canary String', kind: 'text' }] }],
  [
    'the repository is a copy',
    {},
    { source: { kind: 'hub', repository: 'a/gpqa-2', revision: 'main', file: 'x.csv' } },
  ],
])('marks a dataset as confidential GPQA if %s', async (_reason, more, table) => {
  // The preview contains only the first five rows, so only the import itself can find the last row.
  const rows = [...Array.from({ length: 6 }, (_, index) => row(String(index))), row('last', more)];
  const { dataset } = await collect(importer().start(tableOf([rows], table), COLUMNS, { name: 'Mine' }, signal()));
  expect(dataset?.isConfidential).toBe(true);
});

test('sets `artefactRules` on AIME tasks, because the paper’s code has special rules for AIME', async () => {
  const aime = [{ problem: 'How many?', answer: '7' }];
  const source = { kind: 'file', name: 'aime_2025.jsonl' } as const;
  const { store, start } = importer();
  await collect(start(tableOf([aime], { source }), { kind: 'known', set: 'aime' }, { name: '' }, signal()));
  expect(store.kept[0]?.tasks).toMatchObject([{ artefactRules: 'aime' }]);
});

test('keeps nothing if a reference can’t be right, until the user confirms the import', async () => {
  const { store, start } = importer();
  // The preview contains only the first five rows, so only the import itself can find the last row.
  const rows = [...Array.from({ length: 6 }, (_, index) => row(String(index))), row('last', { a: 'First.\nThen.' })];
  const refused = await collect(start(tableOf([rows]), COLUMNS, { name: '' }, signal()));
  expect(refused.last).toMatchObject({ kind: 'doubtful', tasks: 7, doubtful: 1, first: { row: 7 } });
  expect(store.kept).toEqual([]);
  const { dataset } = await collect(start(tableOf([rows]), COLUMNS, { name: '', isConfirmed: true }, signal()));
  expect(dataset).toMatchObject({ tasks: 7, map: COLUMNS });
});
