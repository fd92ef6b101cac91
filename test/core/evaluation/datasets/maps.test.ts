import { expect, test } from 'vitest';
import type { EvaluationTask, KnownSet, TableRow } from '../../../../src/core/contract';
import { programTests, unitTests } from '../../../../src/core/contract/evaluation/program-tests';
import { recognizeSet } from '../../../../src/core/evaluation/datasets/maps';
import { checkMap } from '../../../../src/core/evaluation/datasets/importer';

const ROWS: Record<KnownSet, TableRow> = {
  'math-500': {
    problem: 'What is $1+1$?',
    solution: 'It is $\\boxed{2}$.',
    answer: '2',
    subject: 'Algebra',
    level: 1,
    unique_id: 'test/algebra/1.json',
  },
  mmlu: { question: 'Which is even?', subject: 'arithmetic', choices: ['1', '2', '3', '5'], answer: 1 },
  'gpqa-diamond': {
    'Record ID': 'rec1',
    Question: 'Which force?',
    'Correct Answer': 'Right\n',
    'Incorrect Answer 1': 'Wrong 1',
    'Incorrect Answer 2': 'Wrong 2',
    'Incorrect Answer 3': 'Wrong 3',
    'High-level domain': 'Physics',
  },
  rlpr: {
    prompt: [
      { role: 'system', content: 'Think in tags.' },
      { role: 'user', content: 'How far?' },
    ],
    ability: 'Physics',
    reward_model: { ground_truth: '12 m', style: 'rule' },
  },
  livecodebench: {
    question_title: 'Add',
    question_content: 'Add two numbers.',
    question_id: '2873',
    starter_code: 'class Solution:\n    def add(self, a, b):',
    public_test_cases: '[{"input": "1\\n2", "output": "3", "testtype": "functional"}]',
    private_test_cases: 'eJw=',
    metadata: '{"func_name": "add"}',
    difficulty: 'easy',
  },
  bigcodebench: {
    task_id: 'BigCodeBench/0',
    complete_prompt: 'import random\ndef task_func():',
    canonical_solution: '    return random.random()',
    test: 'class TestCases(unittest.TestCase): pass',
    entry_point: 'task_func',
    libs: "['random', 'itertools']",
  },
  aime: { id: 'I-1', problem: 'Find the sum.', answer: '70', year: 2025 },
  gsm8k: { question: 'How many?', answer: 'Count: 1 + 2.\n#### 3' },
  svamp: { ID: 'c-1', Body: 'There are 3 figs.', Question: 'How many?', Answer: 3, Equation: '3', Type: 'Addition' },
  aqua: { question: 'What is 1 + 1?', options: ['A)1', 'B)2'], rationale: 'Add.', correct: 'B' },
  olympiadbench: {
    id: 7,
    question: 'Find $x$.',
    final_answer: ['$2$', '$3$'],
    is_multiple_answer: true,
    answer_type: 'Numerical',
    subfield: 'Algebra',
  },
  humaneval: {
    task_id: 'HumanEval/1',
    prompt: 'import math\n\ndef twice(a):\n    return 2 * a\n\ndef four(a):\n    """ Four times a. """\n',
    canonical_solution: '    return twice(twice(a))\n',
    test: 'def check(candidate):\n    assert candidate(1) == 4\n',
    entry_point: 'four',
  },
  mbpp: {
    task_id: 3,
    prompt: 'Write a function to add.',
    code: 'def add(a, b):\n    return a + b',
    test_imports: ['import math'],
    test_list: ['assert add(1, 2) == 3', 'assert math.isclose(add(0.5, 0.5), 1)'],
  },
};

function tableOf(set: KnownSet, name = `${set}.jsonl`) {
  const row = ROWS[set];
  const columns = Object.keys(row).map((column) => ({ name: column, kind: 'text' as const }));
  return { source: { kind: 'file' as const, name }, columns, preview: [row], rowCount: null, bytes: 1000 };
}

function taskOf(set: KnownSet, changes: TableRow = {}): EvaluationTask {
  const table = tableOf(set);
  const check = checkMap({ ...table, preview: [{ ...ROWS[set], ...changes }] }, { kind: 'known', set });
  const task = check.ok ? check.tasks[0] : undefined;
  if (!task) throw new Error(check.ok ? 'no task' : check.problem);
  return task;
}

const SETS = Object.keys(ROWS) as KnownSet[];

test.each(SETS)('recognizes the table of %s', (set) => {
  expect(recognizeSet(tableOf(set)).recognized).toBe(set);
});

test('does not recognize a known dataset by common column names alone', () => {
  expect(recognizeSet(tableOf('aime', 'homework.jsonl')).recognized).toBe(null);
  const columns = ['question', 'answer'].map((name) => ({ name, kind: 'text' as const }));
  expect(recognizeSet({ ...tableOf('mmlu'), columns }).recognized).toBe(null);
});

test('converts a row of MATH-500 to a task', () => {
  expect(taskOf('math-500')).toEqual({
    id: 'test/algebra/1.json',
    question: 'What is $1+1$?',
    reference: '2',
    grader: 'mathematics',
    domain: 'maths',
    group: 'Algebra',
  });
});

test('uses the wording of simple-evals for MMLU questions, and keeps the order of the options', () => {
  const { question, reference, group } = taskOf('mmlu');
  expect(question).toBe(
    "Answer the following multiple choice question. The last line of your response should be of the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of ABCD. Think step by step before answering.\n\nWhich is even?\n\nA) 1\nB) 2\nC) 3\nD) 5",
  );
  expect([reference, group]).toEqual(['B', 'arithmetic']);
});

test('shuffles the options of each GPQA task, and sets the reference to the letter of the right option', () => {
  const letters = new Set<string>();
  for (let index = 0; index < 40; index++) {
    const { question, reference } = taskOf('gpqa-diamond', { 'Record ID': `rec${index}` });
    expect(question).toContain(`${reference}) Right`);
    letters.add(reference ?? '');
  }
  expect([...letters].toSorted()).toEqual(['A', 'B', 'C', 'D']);
  expect(taskOf('gpqa-diamond')).toEqual(taskOf('gpqa-diamond'));
});

test('uses the user message as the question of an RLPR task', () => {
  expect(taskOf('rlpr')).toMatchObject({ question: 'How far?', reference: '12 m', grader: 'rlpr', domain: 'science' });
});

test('rejects RLPR tasks whose reference is longer than 30 characters', () => {
  expect(() => taskOf('rlpr', { reward_model: { ground_truth: 'x'.repeat(31) } })).toThrow('longer than 30 characters');
});

test('keeps the private tests of LiveCodeBench compressed', () => {
  const { reference, question, group } = taskOf('livecodebench');
  expect(programTests.parse(JSON.parse(reference ?? ''))).toEqual({
    tests: [{ input: '1\n2', output: '3', testtype: 'functional' }],
    privateTests: 'eJw=',
    functionName: 'add',
  });
  expect(question).toContain('def add(self, a, b):');
  expect(group).toBe('easy');
});

test('adds uncompressed private tests of LiveCodeBench to the public tests', () => {
  const hidden = '[{"input": "4", "output": "5", "testtype": "stdin"}]';
  const { reference } = taskOf('livecodebench', { private_test_cases: hidden, metadata: '{}', starter_code: '' });
  const { tests, ...rest } = programTests.parse(JSON.parse(reference ?? ''));
  expect(tests).toHaveLength(2);
  expect(rest).toEqual({});
});

test.each([
  [{ question_id: 'abc337_e' }, 'interactive'],
  [{ question_id: '1', question_title: 'Find the Peaks' }, 'Several outputs are right'],
  [{ question_id: '1', question_title: 'find-the-peaks' }, 'Several outputs are right'],
])('warns about a LiveCodeBench task with a known error: %j', (changes, words) => {
  expect(taskOf('livecodebench', changes).caution).toContain(words);
  expect(taskOf('livecodebench').caution).toBeUndefined();
});

test('joins the prompt and the solution of a BigCodeBench task into a whole program', () => {
  const { reference, solution } = taskOf('bigcodebench');
  expect(unitTests.parse(JSON.parse(reference ?? ''))).toEqual({
    test: 'class TestCases(unittest.TestCase): pass',
    entryPoint: 'task_func',
    libraries: ['random', 'itertools'],
  });
  expect(solution).toBe('import random\ndef task_func():\n    return random.random()');
});

test('reads integer AIME answers with or without a degree sign, and rejects other answers', () => {
  expect(taskOf('aime')).toMatchObject({ id: 'I-1', reference: '70', grader: 'mathematics' });
  expect(taskOf('aime', { answer: '336^\\circ' }).reference).toBe('336');
  expect(() => taskOf('aime', { answer: '1/2' })).toThrow('not an integer');
});

test.each([
  ['the column “year”', { year: 2025 }, 'AIME 2025'],
  ['an id', { id: '2024-II-4', year: undefined }, 'AIME 2024'],
  ['an address', { id: '60', url: 'https://example.org/2024_AIME_I_Problems', year: undefined }, 'AIME 2024'],
  ['no column', { id: '2010', year: undefined }, undefined],
])('takes the year of AIME from %s, never from the name of the file', (_, changes, title) => {
  const table = tableOf('aime', 'aime_1999.jsonl');
  const changed = { ...table, preview: [{ ...ROWS.aime, ...changes }] };
  expect(recognizeSet(changed)).toEqual({ recognized: 'aime', ...(title !== undefined && { title }) });
  expect(recognizeSet({ ...changed, rowCount: 900 })).toEqual({ recognized: 'aime' });
});

test('skips questions of OlympiadBench that need an image', () => {
  expect(taskOf('olympiadbench').reference).toBe('2, 3');
  expect(() => taskOf('olympiadbench', { question: 'See <image_1>.' })).toThrow('needs an image');
});

test('makes a unit test and a whole solution from a row of HumanEval', () => {
  const { reference, solution, question } = taskOf('humaneval');
  const { beginning, ...tests } = unitTests.parse(JSON.parse(reference ?? ''));
  // The helper of the prompt is defined even if an answer leaves it out.
  expect(beginning).toBe('import math\n\ndef twice(a):\n    return 2 * a\n');
  expect(tests).toMatchObject({ entryPoint: 'four', libraries: [] });
  expect(tests.test).toContain('check(four)');
  expect(solution).toContain('""" Four times a. """\n\n    return twice(twice(a))');
  expect(question).toContain('def four(a):');
});

test('uses the assertions of MBPP+, because its larger tests need NumPy', () => {
  const { reference } = taskOf('mbpp', { test: 'import numpy as np\nassert add(1, 1) == 2' });
  const { test: code, libraries } = unitTests.parse(JSON.parse(reference ?? ''));
  expect(code).toContain('assert add(1, 2) == 3');
  expect(libraries).toEqual(['math']);
});
