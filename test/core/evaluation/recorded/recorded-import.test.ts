import { describe, expect, it } from 'vitest';
import type { Table, TableRow } from '../../../../src/core/contract';
import { KeptAnswers, keepingAnswers, storedAnswers } from '../../../../src/core/evaluation/recorded/recorded-answers';
import { createRecordedImporter } from '../../../../src/core/evaluation/recorded/recorded-import';
import { recordedPoolWorkers } from '../../../../src/core/evaluation/recorded/recorded-pool';
import { batchPlan, storedBatch } from '../../../fixtures/evaluation/batches';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import { FakeClock } from '../../../fixtures/fake-clock';
import { BY_SCORE, CAPITAL, LINES, RIVER, rowsOf, SUM } from './table';

const { signal } = new AbortController();

function tableFrom(rows: readonly TableRow[]): Table {
  const half = Math.ceil(rows.length / 2);
  const numbered = rows.map((value, index) => ({ row: index + 1, value }));
  return {
    source: { kind: 'file', name: 'table.jsonl' },
    format: 'jsonl',
    columns: [],
    bytes: 100,
    rowCount: null,
    preview: rows.slice(0, 5),
    async *read() {
      yield { rows: numbered.slice(0, half), problems: [], read: 50 };
      yield { rows: numbered.slice(half), problems: [{ row: 99, message: 'Torn.' }], read: 100 };
    },
  };
}

const TABLE = tableFrom(rowsOf(LINES));

function setUp() {
  const store = createMemoryDatasetStore();
  const batches = createMemoryBatchStore();
  const importer = createRecordedImporter<Table>({
    tables: { openFile: (file) => Promise.resolve(file) },
    store,
    clock: new FakeClock('auto'),
    batches,
  });
  const add = (table = TABLE, name = 'Router') =>
    importer.add(table, { name, map: importer.suggest(table).map, grading: BY_SCORE }, signal, () => undefined);
  return { store, batches, importer, add };
}

describe('importing a table of recorded answers', () => {
  it('previews the numbers of tasks and answers and lists the skipped rows, without storing anything', async () => {
    const { store, importer } = setUp();
    const progress: number[] = [];
    const preview = await importer.preview(
      TABLE,
      { map: importer.suggest(TABLE).map, grading: BY_SCORE },
      signal,
      (read) => progress.push(read),
    );
    expect(preview).toEqual({
      tasks: 3,
      workers: [
        { name: 'lynx', outcomes: 3, right: 1 },
        { name: 'wren', outcomes: 2, right: 1 },
      ],
      problems: [{ row: 99, rows: 1, message: 'Torn.' }],
      mapProblem: null,
    });
    expect(progress).toEqual([50, 100]);
    expect(await store.list()).toEqual([]);
  });

  it('reads several files as one table, with rows and progress counted through', async () => {
    const { importer } = setUp();
    const other = tableFrom(rowsOf(LINES).map((row) => ({ ...row, worker: `${String(row.worker)}-2`, notes: 'x' })));
    const table = await importer.openFiles([TABLE, other], signal);
    const map = importer.suggest(table).map;
    const progress: number[] = [];
    const preview = await importer.preview(table, { map, grading: BY_SCORE }, signal, (read) => progress.push(read));
    expect(preview.workers.map(({ name, outcomes }) => `${name} ${outcomes}`)).toEqual([
      'lynx 3',
      'wren 2',
      'lynx-2 3',
      'wren-2 2',
    ]);
    expect(progress).toEqual([50, 100, 150, 200]);
    expect(preview.problems).toEqual([{ row: 99, rows: 2, message: 'Torn.' }]);
    expect(table).toMatchObject({
      bytes: 200,
      rowCount: null,
      source: { kind: 'file', name: 'table.jsonl, table.jsonl' },
    });
    const columns = { columns: [{ name: 'score', kind: 'number' as const }] };
    const mixed = {
      columns: [
        { name: 'score', kind: 'text' as const },
        { name: 'notes', kind: 'text' as const },
      ],
    };
    expect(
      (
        await importer.openFiles(
          [
            { ...TABLE, ...columns },
            { ...other, ...mixed },
          ],
          signal,
        )
      ).columns,
    ).toEqual([
      { name: 'score', kind: 'mixed' },
      { name: 'notes', kind: 'text' },
    ]);
    const rows: number[] = [];
    for await (const part of table.read(signal)) rows.push(...part.rows.map(({ row }) => row));
    expect(new Set(rows).size).toBe(rows.length);
    expect(await importer.openFiles([TABLE], signal)).toBe(TABLE);
    const confidential = await importer.openFiles(
      [TABLE, { ...other, source: { kind: 'file', name: 'gpqa.jsonl' } }],
      signal,
    );
    const reading = { name: 'Both', map, grading: BY_SCORE };
    expect(await importer.add(confidential, reading, signal, () => undefined)).toMatchObject({ isConfidential: true });
  });

  it('suggests grading by answers if the first rows have no scores', () => {
    const { importer } = setUp();
    expect(importer.suggest(TABLE).by).toBe('score');
    expect(importer.suggest(tableFrom([{ question: 'Q', worker: 'w', answer: 'A' }])).by).toBe('answer');
  });

  it('says once what is wrong with the columns, instead of once for each row', async () => {
    const { importer } = setUp();
    const table = tableFrom([{ text: 'A poem.' }, { text: 'Another.' }]);
    const { map } = importer.suggest(table);
    const preview = await importer.preview(table, { map, grading: BY_SCORE }, signal, () => undefined);
    expect(preview).toMatchObject({ mapProblem: 'Choose the column of the question.', problems: [] });
  });

  it('stores a dataset that names its recorded workers', async () => {
    const { store, add } = setUp();
    const dataset = await add();
    expect(await store.get(dataset.id)).toMatchObject({ name: 'Router', tasks: 3, recordedWorkers: ['lynx', 'wren'] });
  });

  it('rejects a table that was already imported, but accepts a table that differs in a single answer', async () => {
    const { store, add } = setUp();
    await add();
    await expect(add()).rejects.toMatchObject({
      fault: { message: 'This table is already imported as “Router”. Use that dataset, or delete it first.' },
    });
    await add(tableFrom(rowsOf(LINES.replace('Cusco', 'Quito'))));
    expect(await store.list()).toHaveLength(2);
  });

  it('reuses the dataset id if a deleted table is imported again, so that worker ids stay valid', async () => {
    const { store, add } = setUp();
    const { id } = await add();
    await store.remove(id);
    expect((await add()).id).toBe(id);
  });

  it('imports a renamed table as confidential if its dataset is confidential in a stored batch', async () => {
    const { store, batches, add } = setUp();
    const { id, name, revision, isConfidential } = await add(TABLE, 'GPQA');
    expect(isConfidential).toBe(true);
    const planned = { id, name, revision, isConfidential, taskIds: [] };
    await batches.put(storedBatch('batch', { plan: batchPlan({ datasets: [planned] }) }));
    await store.remove(id);
    expect(await add(TABLE, 'Router')).toMatchObject({ id, isConfidential: true });
  });

  it('rejects a table without a usable row', async () => {
    const { add } = setUp();
    await expect(add(tableFrom([{ text: 'A poem.' }]))).rejects.toMatchObject({
      fault: { message: expect.stringContaining('No row of this table can be used.') as string },
    });
  });
});

describe('finding recorded answers', () => {
  it('reads an answer from the dataset of the worker', async () => {
    const { store, add } = setUp();
    const { id, name, recordedWorkers = [] } = await add();
    const [lynx, wren] = recordedPoolWorkers(recordedWorkers, { id, name });
    if (!lynx || !wren) throw new Error('The table has two workers.');
    const answers = storedAnswers(store);
    expect((await answers.find(lynx, CAPITAL))?.text).toMatch(/^Lima\n/);
    expect((await answers.find(wren, SUM))?.usd).toBe(0.0002);
    expect(await answers.find(wren, RIVER)).toBeNull();
    expect(await answers.find(lynx, 'Something else?')).toBeNull();
  });

  it('tells tasks with the same question apart by their ids', async () => {
    const { store, add } = setUp();
    const row = { id: 1, question: 'Q', worker: 'lynx' };
    const rows = [
      { ...row, group: 'x', score: 1 },
      { ...row, group: 'y', score: 0 },
    ];
    const { id, name } = await add(tableFrom(rows));
    const [lynx] = recordedPoolWorkers(['lynx'], { id, name });
    if (!lynx) throw new Error('There is no worker.');
    const kept = new KeptAnswers();
    await keepingAnswers(store, kept).tasks(id, ['x/1', 'y/1']);
    for (const answers of [storedAnswers(store), kept]) {
      expect((await answers.find(lynx, 'Q', 'x/1'))?.text).toContain('[Recorded score 1,');
      expect((await answers.find(lynx, 'Q', 'y/1'))?.text).toContain('[Recorded score 0,');
    }
  });

  it('finds answers only while the dataset is stored', async () => {
    const { store, add } = setUp();
    const { id, name } = await add();
    const [lynx] = recordedPoolWorkers(['lynx'], { id, name });
    if (!lynx) throw new Error('There is no worker.');
    const tasks = await store.tasks(
      id,
      (await store.outline(id)).map((task) => task.id),
    );
    const dataset = await store.get(id);
    if (!dataset) throw new Error('There is no dataset.');
    await store.remove(id);
    const answers = storedAnswers(store);
    expect(await answers.find(lynx, CAPITAL)).toBeNull();
    const again = (async function* () {
      yield* tasks;
    })();
    await store.add(again, () => dataset, signal);
    expect(await answers.find(lynx, CAPITAL)).not.toBeNull();
  });

  it('finds kept answers only for tasks that were read through `keepingAnswers`', async () => {
    const { store, add } = setUp();
    const { id, name } = await add();
    const [lynx] = recordedPoolWorkers(['lynx'], { id, name });
    if (!lynx) throw new Error('There is no worker.');
    const kept = new KeptAnswers();
    await keepingAnswers(store, kept).tasks(id, ['a']);
    expect((await kept.find(lynx, CAPITAL))?.text).toMatch(/^Lima\n/);
    expect(await kept.find(lynx, SUM)).toBeNull();
  });
});
