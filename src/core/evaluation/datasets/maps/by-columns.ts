/** @file Published datasets that need nothing but an assignment of columns. */
import type { FieldMap, KnownSetInfo, TableRow } from '../../../contract';
import { taskByColumns } from '../column-map';
import { COMPLETE_CODE, PASS_TESTS } from '../program-wordings';
import { listOfTexts, optionalText, UnfitRow, valueAt } from '../row-fields';
import type { SetMap } from './set-map';

const FIELDS: FieldMap = {
  grader: 'mathematics',
  domain: 'maths',
  question: { kind: 'column', column: 'question' },
  reference: 'answer',
  id: null,
  group: null,
  choices: null,
  tests: null,
  solution: null,
  isConfidential: false,
};

function byColumns({
  fieldsOf,
  ...set
}: Pick<SetMap, 'info' | 'columns' | 'isTable'> & { readonly fieldsOf: (row: TableRow) => FieldMap }): SetMap {
  return {
    ...set,
    task(row, number) {
      const task = taskByColumns(row, number, fieldsOf(row));
      if (/<image(?:_\d+)?>/.test(task.question)) throw new UnfitRow('The question needs an image.');
      return task;
    },
  };
}

const info = (
  set: KnownSetInfo['set'],
  title: string,
  grader: KnownSetInfo['grader'],
  repository: string,
  files: Readonly<Record<string, string | null>>,
): KnownSetInfo => ({
  set,
  title,
  grader,
  isConfidential: false,
  files: Object.entries(files).map(([label, file]) => ({
    label,
    address: { repository, ...(file !== null && { file }) },
    isGated: false,
  })),
});

/** The column of a row, if the row has it. */
const own = (row: TableRow, column: string) => (Object.hasOwn(row, column) ? column : null);

export const gsm8k = byColumns({
  info: info('gsm8k', 'GSM8K', 'mathematics', 'openai/gsm8k', {
    'Test: 1,319 word problems': 'main/test-00000-of-00001.parquet',
    'Training: 7,473 word problems': 'main/train-00000-of-00001.parquet',
  }),
  columns: ['question', 'answer'],
  isTable: ({ preview }) => preview.every((row) => /(?:^|\n)####\s*\S+\s*$/.test(optionalText(row, 'answer') ?? '')),
  fieldsOf: () => ({ ...FIELDS, referencePart: { kind: 'after', marker: '####' } }),
});

export const svamp = byColumns({
  info: info('svamp', 'SVAMP', 'mathematics', 'ChilleD/SVAMP', {
    'Word problems': null,
  }),
  columns: ['Body', 'Question', 'Answer', 'Type', 'ID'],
  fieldsOf: () => ({
    ...FIELDS,
    question: { kind: 'template', text: '{{Body}} {{Question}}' },
    reference: 'Answer',
    id: 'ID',
    group: 'Type',
  }),
});

export const aqua = byColumns({
  info: info('aqua', 'AQuA', 'letter', 'deepmind/aqua_rat', {
    'Test: 254 questions with five options': 'raw/test-00000-of-00001.parquet',
  }),
  columns: ['question', 'options', 'rationale', 'correct'],
  fieldsOf: () => ({
    ...FIELDS,
    grader: 'letter',
    reference: 'correct',
    choices: { columns: ['options'], answer: 'letter', shuffleSeed: null },
  }),
});

export const olympiadBench = byColumns({
  info: info('olympiadbench', 'OlympiadBench', 'mathematics', 'Hothan/OlympiadBench', {
    'Competition problems': null,
  }),
  columns: ['question', 'final_answer', 'is_multiple_answer', 'answer_type'],
  fieldsOf: (row) => ({
    ...FIELDS,
    question: { kind: 'template', text: '{{context?}}\n\n{{question}}' },
    reference: 'final_answer',
    id: own(row, 'id'),
    group: own(row, 'subfield'),
  }),
});

export const humanEval = byColumns({
  info: info('humaneval', 'HumanEval', 'unittest', 'openai/openai_humaneval', {
    '164 Python functions': 'openai_humaneval/test-00000-of-00001.parquet',
  }),
  columns: ['task_id', 'prompt', 'canonical_solution', 'test', 'entry_point'],
  isTable: ({ preview }) => preview.every((row) => /\bdef check\s*\(/.test(optionalText(row, 'test') ?? '')),
  fieldsOf: () => ({
    ...FIELDS,
    grader: 'unittest',
    domain: 'code',
    question: { kind: 'template', text: COMPLETE_CODE.replace('{{}}', '{{prompt}}') },
    reference: null,
    id: 'task_id',
    tests: { kind: 'check', test: 'test', entryPoint: 'entry_point', beginning: 'prompt' },
    solution: 'canonical_solution',
  }),
});

export const mbpp = byColumns({
  info: info('mbpp', 'MBPP', 'unittest', 'google-research-datasets/mbpp', {
    'Sanitized: 257 test tasks': 'sanitized/test-00000-of-00001.parquet',
    'Full: 500 test tasks': 'full/test-00000-of-00001.parquet',
  }),
  columns: ['code', 'test_list'],
  isTable: ({ columns, preview }) =>
    columns.some(({ name }) => name === 'prompt' || name === 'text') &&
    preview.every((row) => listOfTexts(valueAt(row, 'test_list'))?.every((test) => /^\s*assert\b/.test(test)) === true),
  fieldsOf: (row) => ({
    ...FIELDS,
    grader: 'unittest',
    domain: 'code',
    question: {
      kind: 'template',
      text: PASS_TESTS.replace('{{tests}}', '{{test_list}}').replace('{{}}', `{{${own(row, 'prompt') ?? 'text'}}}`),
    },
    reference: null,
    id: own(row, 'task_id'),
    // MBPP+ has more tests in the column “test”, but these need NumPy, which the sandbox does not have.
    tests: { kind: 'asserts', tests: 'test_list', setup: own(row, 'test_imports') ?? own(row, 'test_setup_code') },
    solution: 'code',
  }),
});
