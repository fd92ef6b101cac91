import { expect, test } from 'vitest';
import type { FieldMap, TableRow } from '../../../../src/core/contract';
import { suggestMap } from '../../../../src/core/evaluation/datasets/suggest-map';
import { checkMap } from '../../../../src/core/evaluation/datasets/importer';

const MAP: FieldMap = {
  grader: 'exact',
  domain: 'knowledge',
  question: { kind: 'column', column: 'q' },
  reference: 'a',
  id: null,
  group: null,
  choices: null,
  tests: null,
  solution: null,
  isConfidential: false,
};
const CHOICES = { columns: ['o'], answer: 'letter', shuffleSeed: null } as const;
const ROW = { q: 'Which?', a: 'b', o: ['x', 'y'], n: 1, deep: { list: [{ text: 'inside' }] } };

const tableOf = (...preview: TableRow[]) => ({
  columns: Object.keys(preview[0] ?? {}).map((name) => ({ name, kind: 'text' as const })),
  preview,
});
const check = (changes: Partial<FieldMap>, row: TableRow = ROW) =>
  checkMap(tableOf(row), { kind: 'columns', map: { ...MAP, ...changes } });

test.each<[string, Partial<FieldMap>, string]>([
  ['no question', { question: { kind: 'column', column: '' } }, 'Choose the column of the question.'],
  ['a template without a column', { question: { kind: 'template', text: 'Why?' } }, 'names no column'],
  ['a column that is missing', { group: 'topic' }, 'The table has no column “topic”.'],
  ['no reference', { reference: null }, 'Choose the column of the reference.'],
  ['no options', { grader: 'letter' }, 'Choose the columns of the options.'],
  ['options with another grader', { choices: CHOICES }, 'Only the grader for letters can use options.'],
  [
    'a first option that is always right',
    { grader: 'letter', choices: { ...CHOICES, answer: 'first' } },
    'The right option would always be A.',
  ],
  ['no tests', { grader: 'python' }, 'Choose the column of the tests.'],
  ['no unit test', { grader: 'unittest' }, 'Choose the columns of the unit test'],
  ['a solution without tests', { solution: 'a' }, 'Only programming tasks can have a solution.'],
  ['a reference that no option has', { grader: 'letter', choices: { ...CHOICES, answer: 'text' } }, 'Row 1: The right'],
  [
    'the grader for puzzles for a question that is not a puzzle',
    { grader: 'puzzle', reference: null },
    'Row 1: The question is not a puzzle',
  ],
  ['a broken pattern', { grader: 'pattern', question: { kind: 'column', column: 'a' }, reference: 'q' }, ''],
])('names the problem of a field map with %s', (name, changes, words) => {
  const result = name === 'a broken pattern' ? check(changes, { ...ROW, q: '(' }) : check(changes);
  expect(result.ok ? 'nothing' : result.problem).toContain(words || 'not a valid regular expression');
});

test('reads the letter of an option that the question contains, and rejects other references', () => {
  const row = { ...ROW, q: 'Which? A. red B. blue' };
  const result = check({ grader: 'letter' }, row);
  expect(result.ok && result.tasks).toEqual([expect.objectContaining({ question: row.q, reference: 'B' })]);
  const wrong = check({ grader: 'letter' }, { ...row, a: 'AB' });
  expect(wrong.ok ? 'nothing' : wrong.problem).toBe('Row 1: The reference is not the letter of an option.');
});

test('rejects a pattern with a back-reference and gives the reason in a sentence', () => {
  const result = check({ grader: 'pattern' }, { ...ROW, a: '(x)\\1' });
  expect(result.ok ? 'nothing' : result.problem).toContain('Row 1: The reference is a regular expression with a back-');
});

test('accepts puzzles without a reference', () => {
  const q = 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';
  expect(check({ grader: 'puzzle', reference: null }, { ...ROW, q }).ok).toBe(true);
});

test('converts the preview rows to tasks', () => {
  const result = check({ id: 'n', group: 'a', question: { kind: 'template', text: '{{q}} ({{ deep.list.0.text }})' } });
  expect(result).toEqual({
    ok: true,
    tasks: [{ id: '1', question: 'Which? (inside)', reference: 'b', grader: 'exact', domain: 'knowledge', group: 'b' }],
    skipped: [],
  });
});

test.each([
  ['letter', 'b'],
  ['index', 1],
  ['text', 'y'],
] as const)('finds the right option by %s', (answer, a) => {
  const result = check({ grader: 'letter', choices: { ...CHOICES, answer } }, { ...ROW, a });
  expect(result.ok && result.tasks[0]?.reference).toBe('B');
});

test.each(['letter', 'index'] as const)(
  'allows an empty option only at the end, with a reference of kind %s',
  (answer) => {
    const choices = { columns: ['A', 'B', 'C', 'D'], answer, shuffleSeed: null };
    const row = { q: 'Which?', a: answer === 'letter' ? 'C' : 2, A: 'one', B: '', C: 'three', D: 'four' };
    const result = check({ grader: 'letter', choices }, row);
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).toContain('The option “B” is empty, but a later option is not.');
    const whole = check({ grader: 'letter', choices }, { ...row, B: 'two', D: '' });
    expect(whole.ok && whole.tasks[0]?.reference).toBe('C');
  },
);

test('reads options from several columns and shuffles them', () => {
  const choices = { columns: ['right', 'w1', 'w2'], answer: 'first', shuffleSeed: 3 } as const;
  const rows = Array.from({ length: 5 }, (_, index) => ({ q: `${index}`, right: 'yes', w1: 'no', w2: 'maybe' }));
  const result = checkMap(tableOf(...rows), {
    kind: 'columns',
    map: { ...MAP, grader: 'letter', reference: null, choices },
  });
  const tasks = result.ok ? result.tasks : [];
  expect(tasks).toHaveLength(5);
  for (const { question, reference } of tasks) expect(question).toContain(`${reference}) yes`);
  expect(new Set(tasks.map(({ reference }) => reference)).size).toBeGreaterThan(1);
});

test('accepts a preview in which only some rows can be converted', () => {
  const result = checkMap(tableOf(ROW, { ...ROW, q: '' }), { kind: 'columns', map: MAP });
  expect(result.ok && result.tasks).toHaveLength(1);
});

test('names the missing column of a known dataset', () => {
  expect(checkMap(tableOf(ROW), { kind: 'known', set: 'mmlu' })).toEqual({
    ok: false,
    problem: 'The table has no column “question”, so it doesn’t match this dataset.',
  });
});

test.each<[string, TableRow, Partial<FieldMap>]>([
  ['numbers', { Problem: 'x', answer: '12', subject: 's' }, { grader: 'mathematics', group: 'subject' }],
  ['words', { prompt: 'x', target: 'Paris', id: 1 }, { grader: 'exact', reference: 'target', id: 'id' }],
  [
    'options',
    { question: 'x', options: ['u', 'v'], answer: 1 },
    { grader: 'letter', choices: { columns: ['options'], answer: 'index', shuffleSeed: null } },
  ],
  ['no reference', { text: 'x' }, { grader: 'person', reference: null }],
])('suggests a valid field map for a table with %s', (_, row, expected) => {
  const table = tableOf(row);
  const map = suggestMap(table);
  expect(map).toMatchObject(expected);
  expect(checkMap(table, { kind: 'columns', map }).ok).toBe(true);
});
