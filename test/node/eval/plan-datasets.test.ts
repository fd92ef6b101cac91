import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BatchDataset, DatasetMap, FieldMap } from '../../../src/core/contract';
import { readBatchFile, writeBatchFile } from '../../../src/core/evaluation/tables/batch-file';
import { loadPlanDatasets, type PlanData, readMapFile } from '../../../src/node/eval/plan-datasets';
import { createTableFiles } from '../../../src/node/eval/table-files';
import { openTable } from '../../../src/platform/datasets/open-table';
import { UsageError } from '../../../src/node/exit-codes';
import { batchPlan, storedBatch } from '../../fixtures/evaluation/batches';
import { importInPage, testFolder } from './plans';

const ROWS = [
  { q: 'What is 3 + 4?', hint: 'Add.', a: 'Three and four are\n7' },
  { q: 'What is 5 + 4?', hint: 'Add.', a: 'Five and four are\n9' },
];
const TEXT = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('');
const FIELDS: FieldMap = {
  grader: 'mathematics',
  domain: 'maths',
  question: { kind: 'template', text: '{{hint}} {{q}}' },
  reference: 'a',
  referencePart: { kind: 'last-line' },
  id: null,
  group: null,
  choices: null,
  tests: null,
  solution: null,
  isConfidential: false,
};

/** A plan file of a dataset that was imported in the page with these columns. */
async function planOf(fields: FieldMap, edit = (text: string) => text): Promise<BatchDataset> {
  const map: DatasetMap = { kind: 'columns', map: fields };
  const { dataset, tasks } = await importInPage('own.jsonl', TEXT, map);
  const { id, name, revision, isConfidential } = dataset;
  const planned = { id, name, revision, isConfidential, taskIds: tasks.map((task) => task.id), map: dataset.map };
  const batch = storedBatch('batch', { plan: batchPlan({ datasets: [planned] }) });
  const { plan } = readBatchFile(edit(writeBatchFile(batch, [], { app: 'test', exportedAt: 0 })), 'plan').batch;
  const [read] = plan.datasets;
  if (!read) throw new Error('The plan has no dataset.');
  return read;
}

async function load(dataset: BatchDataset, more: Partial<PlanData> = {}) {
  const path = join(await testFolder(), 'table.jsonl');
  await writeFile(path, TEXT);
  const warnings: string[] = [];
  const data = {
    paths: [path],
    maps: [],
    isAccepted: false,
    tables: createTableFiles(openTable),
    signal: new AbortController().signal,
    warn: (text: string) => void warnings.push(text),
    ...more,
  };
  const store = await loadPlanDatasets(batchPlan({ datasets: [dataset] }), data);
  return { tasks: await store.tasks(dataset.id, dataset.taskIds), warnings };
}

test('imports a file with the columns in the plan', async () => {
  const { tasks, warnings } = await load(await planOf(FIELDS));
  expect(tasks).toMatchObject([{ question: 'Add. What is 3 + 4?', reference: '7' }, { reference: '9' }]);
  expect(warnings).toEqual([]);
});

test('imports a file with the columns of --map if the plan has none', async () => {
  const { map: _map, ...old } = await planOf(FIELDS);
  await expect(load(old)).rejects.toThrow('Then give the columns with --map.');

  const path = join(await testFolder(), 'columns.json');
  const columns = { grader: 'mathematics', domain: 'maths', question: '{{hint}} {{q}}', reference: 'a' };
  await writeFile(path, JSON.stringify({ ...columns, referencePart: { kind: 'last-line' } }));
  const { tasks } = await load(old, { maps: [await readMapFile(path)] });
  expect(tasks).toMatchObject([{ reference: '7' }, { reference: '9' }]);
});

test.each([
  ['[]', 'is not a JSON object'],
  ['{"grader":"exact"}', 'The field “question”'],
  ['{"grader":"none","question":"q"}', 'The field “grader”'],
  ['{"grader":"exact","question":"q","answer":"a"}', 'an unknown field “answer”'],
])('rejects the file of columns %s', async (text, words) => {
  const path = join(await testFolder(), 'columns.json');
  await writeFile(path, text);
  await expect(readMapFile(path)).rejects.toThrow(UsageError);
  await expect(readMapFile(path)).rejects.toThrow(words);
});

test('refuses references that can’t be right, unless they are accepted', async () => {
  const { referencePart: _part, ...whole } = FIELDS;
  const dataset = await planOf({ ...whole, grader: 'exact' });
  await expect(load(dataset)).rejects.toThrow('2 of 2 references can’t grade an answer as right');
  const { tasks, warnings } = await load(dataset, { isAccepted: true });
  expect(tasks).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining('word for word')]);
});

test('reads a plan whose columns only a newer version understands as a plan without columns', async () => {
  const newer = await planOf(FIELDS, (text) => text.replace('"last-line"', '"first-line"'));
  expect(newer.map).toBeUndefined();
  const columns: DatasetMap = { kind: 'columns', map: FIELDS };
  expect((await load(newer, { maps: [columns] })).tasks).toHaveLength(2);
});
