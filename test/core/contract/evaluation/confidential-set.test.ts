import { expect, test } from 'vitest';
import {
  isConfidentialDataset,
  isConfidentialRow,
  isConfidentialTable,
  namesConfidentialSet,
  type Dataset,
  type TableRow,
} from '../../../../src/core/contract';
import { batchSchema } from '../../../../src/core/contract/evaluation/batch-schema';
import { datasetSchema } from '../../../../src/core/contract/evaluation/dataset-schema';
import { batchPlan, storedBatch } from '../../../fixtures/evaluation/batches';

/** A dummy in the format of GPQA’s canary. A canary is a unique text that reveals copies of a dataset. */
const CANARY = 'gpqa:0000:00000000-0000-0000-0000-000000000000';
const tableOf = (row: TableRow) => ({
  columns: Object.keys(row).map((name) => ({ name, kind: 'text' as const })),
  preview: [row],
});
const DATASET: Dataset = {
  id: 'set',
  name: 'Mine',
  source: { kind: 'file', name: 'table.jsonl' },
  revision: 'r',
  tasks: 1,
  groups: [],
  graders: ['letter'],
  isConfidential: false,
  addedAt: 0,
};

test.each(['gpqa_diamond.csv', 'Idavidrein/gpqa', 'someone/gpqa-fr', 'GPQA Diamond', 'sets/gpqa/main.parquet'])(
  'recognizes %s as a name of GPQA',
  (name) => expect(namesConfidentialSet(name)).toBe(true),
);

test.each(['SuperGPQA', 'mmlu', 'm-a-p/supergpqa'])('does not take %s for a name of GPQA', (name) =>
  expect(namesConfidentialSet(name)).toBe(false),
);

test.each<[string, TableRow]>([
  [
    'its columns, with other spellings',
    { question: 'Q', correct_answer: 'a', incorrect_answer_1: 'b', 'Incorrect-Answer 2': 'c', incorrectAnswer3: 'd' },
  ],
  ['a column for the canary', { q: 'Q', 'Canary String': '' }],
  ['the canary in a text', { q: `Q ${CANARY}` }],
  ['the canary inside a list', { q: [{ text: CANARY }] }],
  ['the name of its dataset in a field', { q: 'Q', dataset: 'gpqa_diamond' }],
])('recognizes a table of GPQA by %s', (_name, row) => {
  expect(isConfidentialTable(tableOf(row))).toBe(true);
});

test('recognizes a copy of GPQA by the name of its repository', () => {
  const source = { kind: 'hub', repository: 'someone/gpqa-copy', revision: 'main', file: 'train.parquet' } as const;
  expect(isConfidentialTable({ ...tableOf({ q: 'Q', a: 'A' }), source })).toBe(true);
});

test('recognizes neither a question about GPQA nor another multiple-choice table as GPQA', () => {
  expect(isConfidentialRow({ question: 'What is GPQA?', answer: 'GPQA is a benchmark for experts.' })).toBe(false);
  expect(isConfidentialTable(tableOf({ question: 'Q', choices: ['a', 'b'], answer: 'a' }))).toBe(false);
});

test('recognizes a dataset of GPQA by its source, its name or one of its groups', () => {
  expect(isConfidentialDataset(DATASET)).toBe(false);
  expect(isConfidentialDataset({ ...DATASET, source: { kind: 'file', name: 'gpqa_main.csv' } })).toBe(true);
  expect(isConfidentialDataset({ ...DATASET, name: 'GPQA' })).toBe(true);
  expect(isConfidentialDataset({ ...DATASET, groups: [{ group: 'gpqa', tasks: 1 }] })).toBe(true);
});

test('marks stored GPQA data as confidential when it is read, even if it was not marked before', () => {
  const { name, id, revision } = DATASET;
  const plan = batchPlan({ datasets: [{ id, name: 'GPQA Diamond', revision, isConfidential: false, taskIds: ['1'] }] });
  expect(batchSchema.parse(storedBatch('batch', { plan })).plan.datasets[0]?.isConfidential).toBe(true);
  expect(datasetSchema.parse({ ...DATASET, name: 'gpqa.csv' }).isConfidential).toBe(true);
  expect(datasetSchema.parse({ ...DATASET, name }).isConfidential).toBe(false);
});
