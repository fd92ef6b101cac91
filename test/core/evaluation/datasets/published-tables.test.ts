/** @file Tables in the shapes in which well-known datasets are published. The rows are made up. */
import { expect, test } from 'vitest';
import type { DatasetMap, GraderKind, KnownSet, TableColumn, TableRow } from '../../../../src/core/contract';
import { recognizeSet } from '../../../../src/core/evaluation/datasets/maps';
import { suggestMap } from '../../../../src/core/evaluation/datasets/suggest-map';
import { tryReferences } from '../../../../src/core/evaluation/datasets/try-references';
import { checkMap } from '../../../../src/core/evaluation/datasets/importer';

function tableOf(...preview: TableRow[]) {
  const names = [...new Set(preview.flatMap((row) => Object.keys(row)))];
  const columns: TableColumn[] = names.map((name) => ({ name, kind: 'mixed' }));
  const source = { kind: 'file', name: 'table.jsonl' } as const;
  return { source, columns, preview, rowCount: null, bytes: 1000 };
}

/** Imports the preview as the page does at the first try. */
async function imported(rows: readonly TableRow[]) {
  const table = tableOf(...rows);
  const { recognized } = recognizeSet(table);
  const map: DatasetMap =
    recognized === null ? { kind: 'columns', map: suggestMap(table) } : { kind: 'known', set: recognized };
  const check = checkMap(table, map);
  if (!check.ok) throw new Error(check.problem);
  const trial = await tryReferences(check.tasks, undefined, new AbortController().signal);
  return { recognized, tasks: check.tasks, skipped: check.skipped, failed: trial.failed };
}

const OPTIONS = ['red', 'green', 'blue', 'grey'];
const LETTERED = { A: 'red', B: 'green', C: 'blue', D: 'grey' };

type Case = readonly [
  name: string,
  rows: readonly TableRow[],
  expected: {
    readonly set?: KnownSet;
    readonly grader: GraderKind;
    readonly references?: readonly string[];
    readonly question?: string;
  },
];

const CASES: readonly Case[] = [
  [
    'GSM8K',
    [
      { question: 'Tom has 3 pens and buys 4. How many?', answer: 'He has 3 + 4 = <<3+4=7>>7 pens.\n#### 7' },
      { question: 'A car costs $70,000 …', answer: 'It costs 70,000.\n#### 70,000' },
    ],
    { set: 'gsm8k', grader: 'mathematics', references: ['7', '70,000'] },
  ],
  [
    'a translation of GSM8K with other column names',
    [
      { Frage: 'Wie viele?', Antwort: 'Es sind 3 + 4.\n#### 7', idx: 0 },
      { Frage: 'Wie oft?', Antwort: 'Oft.\n#### 12', idx: 1 },
    ],
    { grader: 'mathematics', references: ['7', '12'], question: 'Wie viele?' },
  ],
  [
    'SVAMP',
    [
      {
        Answer: 145.0,
        Question: 'How many in a group?',
        Equation: '( 290.0 / 2.0 )',
        Body: 'There are 290 figs.',
        Type: 'Division',
        ID: 'c-1',
      },
    ],
    { set: 'svamp', grader: 'mathematics', references: ['145'], question: 'There are 290 figs. How many in a group?' },
  ],
  [
    'AQuA',
    [
      {
        question: 'What is 2 + 3?',
        options: ['A)4', 'B)5', 'C)6', 'D)7', 'E)None of these'],
        rationale: 'Add.\nB',
        correct: 'B',
      },
    ],
    { set: 'aqua', grader: 'letter', references: ['B'], question: 'B) 5\nC) 6' },
  ],
  [
    'MathQA, with the options in one text',
    [
      {
        Problem: 'What is 30 + 8?',
        Rationale: 'Add.',
        options: 'a ) 38 , b ) 27.675 , c ) 1,000 , d ) data inadequate',
        correct: 'a',
      },
    ],
    { grader: 'letter', references: ['A'], question: 'B) 27.675\nC) 1,000' },
  ],
  [
    'Gaokao, with an object of options and an empty column “answer”',
    [{ passage: null, question: 'Which color?', options: LETTERED, label: 'D', answer: null, other: { source: 'x' } }],
    { grader: 'letter', references: ['D'], question: 'D) grey' },
  ],
  [
    'AGIEval, with a passage and lettered options',
    [
      {
        passage: 'All cats are grey.',
        question: 'Which color?',
        options: OPTIONS.map((text, place) => `(${'ABCD'[place]})${text}`),
        label: 'D',
        solution: null,
      },
    ],
    { grader: 'letter', references: ['D'], question: 'All cats are grey.\n\nWhich color?\n\nA) red' },
  ],
  [
    'MMLU-Pro',
    [
      {
        question_id: 70,
        question: 'Which?',
        options: OPTIONS,
        answer: 'C',
        answer_index: 2,
        cot_content: '',
        category: 'art',
        src: 'x',
      },
    ],
    { grader: 'letter', references: ['C'] },
  ],
  [
    'ARC, with letters and with numbers as labels',
    [
      { id: 'M_1', question: 'Which?', choices: { text: OPTIONS, label: ['A', 'B', 'C', 'D'] }, answerKey: 'C' },
      { id: 'M_2', question: 'Why?', choices: { text: OPTIONS, label: ['1', '2', '3', '4'] }, answerKey: '2' },
    ],
    { grader: 'letter', references: ['C', 'B'] },
  ],
  [
    'CommonsenseQA in its original form',
    [
      {
        id: 'a',
        question: 'Where?',
        choices: [
          { label: 'A', text: 'home' },
          { label: 'B', text: 'shop' },
        ],
        answerKey: 'B',
      },
    ],
    { grader: 'letter', references: ['B'], question: 'B) shop' },
  ],
  [
    'MedQA',
    [{ question: 'Which drug?', answer: 'blue', options: LETTERED, meta_info: 'step1', answer_idx: 'C' }],
    { grader: 'letter', references: ['C'] },
  ],
  [
    'MedMCQA, with a column for each option and an index from 0',
    [
      {
        id: 'x',
        question: 'Which?',
        opa: 'red',
        opb: 'green',
        opc: 'blue',
        opd: 'grey',
        cop: 0,
        exp: 'So.',
        subject_name: 'Art',
      },
      {
        id: 'y',
        question: 'What?',
        opa: 'red',
        opb: 'green',
        opc: 'blue',
        opd: 'grey',
        cop: 3,
        exp: 'So.',
        subject_name: 'Art',
      },
    ],
    { grader: 'letter', references: ['A', 'D'] },
  ],
  [
    'C-Eval',
    [{ id: 0, question: '哪个？', A: '红', B: '绿', C: '蓝', D: '灰', answer: 'C' }],
    { grader: 'letter', references: ['C'], question: 'C) 蓝' },
  ],
  [
    'WinoGrande, with numbers from 1',
    [
      { sentence: 'The _ is big.', option1: 'cat', option2: 'dog', answer: '2' },
      { sentence: 'The _ is small.', option1: 'cat', option2: 'dog', answer: '1' },
    ],
    { grader: 'letter', references: ['B', 'A'], question: 'The _ is big.' },
  ],
  [
    'HellaSwag',
    [{ ind: 4, activity_label: 'Roof', ctx_a: 'A man', ctx_b: 'he', ctx: 'A man. he', endings: OPTIONS, label: '3' }],
    { grader: 'letter', references: ['D'], question: 'A man. he' },
  ],
  [
    'SciQ, with the wrong answers in columns of their own',
    [
      {
        question: 'Which?',
        distractor3: 'c',
        distractor1: 'a',
        distractor2: 'b',
        correct_answer: 'right',
        support: '',
      },
    ],
    { grader: 'letter', question: ') right' },
  ],
  [
    'TruthfulQA with marked options, the first of which is always right',
    [
      { question: 'Q1?', mc1_targets: { choices: ['yes', 'no', 'so'], labels: [1, 0, 0] } },
      { question: 'Q2?', mc1_targets: { choices: ['up', 'down', 'left'], labels: [1, 0, 0] } },
    ],
    { grader: 'letter' },
  ],
  [
    'SuperGPQA, with the text and the letter of the answer',
    [{ uuid: 'u', question: 'Which?', options: OPTIONS, answer: 'green', answer_letter: 'B', discipline: 'Art' }],
    { grader: 'letter', references: ['B'] },
  ],
  [
    'options as the text of a NumPy array, as pandas writes CSV',
    [{ question: 'Which?', choices: "['red' 'green'\n 'it\\'s blue']", answer: '2' }],
    { grader: 'letter', references: ['C'], question: "C) it's blue" },
  ],
  [
    'BoolQ',
    [{ question: 'is it so', answer: true, passage: 'It is so.' }],
    { grader: 'exact', references: ['true'], question: 'It is so.\n\nis it so\n\nEnd with a last line' },
  ],
  [
    'OlympiadBench',
    [
      {
        id: 1,
        question: 'Find x.',
        solution: ['So $x=2$.'],
        final_answer: ['2'],
        context: null,
        is_multiple_answer: false,
        unit: null,
        answer_type: 'Numerical',
        error: null,
        subfield: 'Algebra',
      },
      {
        id: 2,
        question: 'Find all x.',
        solution: ['So.'],
        final_answer: ['$1$', '$-3$'],
        context: 'Let x > 0.',
        is_multiple_answer: true,
        unit: null,
        answer_type: 'Numerical',
        error: null,
        subfield: 'Algebra',
      },
    ],
    { set: 'olympiadbench', grader: 'mathematics', references: ['2', '1, -3'] },
  ],
  [
    'Minerva, with the answer in the last box of the solution',
    [
      {
        problem: 'Find x.',
        solution: 'First \\boxed{1}, then \\[x = \\boxed{\\frac{1}{2}}\\] as above.',
        type: 'Physics',
        idx: 0,
      },
    ],
    { grader: 'mathematics', references: ['\\frac{1}{2}'], question: 'Find x.' },
  ],
  [
    'MATH with a solution and an answer',
    [{ problem: 'Find x.', level: 'Level 5', type: 'Algebra', solution: 'So $x=\\boxed{5}$.', answer: '5' }],
    { grader: 'mathematics', references: ['5'] },
  ],
  [
    'DAPO, with a chat and a nested reference',
    [
      {
        data_source: 'math',
        prompt: [{ role: 'user', content: 'Solve it.' }],
        ability: 'MATH',
        reward_model: { ground_truth: '34', style: 'rule' },
        extra_info: { index: 'a' },
      },
    ],
    { set: 'rlpr', grader: 'rlpr', references: ['34'], question: 'Solve it.' },
  ],
  [
    'DROP, with spans',
    [
      {
        section_id: 's',
        query_id: 'q',
        passage: 'They won 24-10.',
        question: 'Who won?',
        answers_spans: { spans: ['the Bears', 'the Bears'], types: ['span', 'span'] },
      },
    ],
    { grader: 'exact', references: ['the Bears'], question: 'They won 24-10.\n\nWho won?' },
  ],
  [
    'SQuAD, with several right texts',
    [
      {
        id: 's',
        title: 'T',
        context: 'In 1066.',
        question: 'When?',
        answers: { text: ['1066 (AD)', 'in 1066'], answer_start: [3, 0] },
      },
    ],
    {
      grader: 'pattern',
      references: ['1066 \\(AD\\)|in 1066'],
      question: 'When?\n\nEnd with a last line that is only the answer.',
    },
  ],
  [
    'ASDiv, with units in brackets',
    [
      { body: 'Seven and two.', question: 'How many?', answer: '9 (apples)', formula: '7+2=9' },
      { body: 'Four each.', question: 'How long?', answer: '12 (square feet)', formula: '4*3=12' },
    ],
    { grader: 'mathematics', references: ['9 (apples)', '12 (square feet)'], question: 'Seven and two.' },
  ],
  [
    'LiveBench, with the turns of a chat',
    [
      { question_id: 'x', category: 'math', ground_truth: '42', turns: ['What is 6 * 7?'], task: 'olympiad' },
      { question_id: 'y', category: 'math', ground_truth: '5', turns: ['What is 2 + 3?'], task: 'olympiad' },
    ],
    { grader: 'mathematics', references: ['42', '5'], question: 'What is 6 * 7?' },
  ],
  [
    'TriviaQA',
    [
      {
        question: 'Which city?',
        question_id: 'tc_1',
        answer: { aliases: ['Paris', 'City of Paris'], value: 'Paris', type: 'x' },
      },
    ],
    { grader: 'exact', references: ['Paris'] },
  ],
  [
    'StrategyQA in a CSV file',
    [
      { qid: 'a', question: 'Can it?', answer: 'Yes', facts: '' },
      { qid: 'b', question: 'Is it?', answer: 'no', facts: '' },
    ],
    { grader: 'exact', references: ['Yes', 'no'], question: 'only “yes” or “no”' },
  ],
  [
    'formulas, some of which are short',
    [
      { id: 1, problem: 'P', answer: '$2^n$' },
      { id: 2, problem: 'R', answer: '2n' },
      { id: 3, problem: 'S', answer: 'k' },
    ],
    { grader: 'mathematics', references: ['$2^n$', '2n', 'k'] },
  ],
  [
    'SimpleQA',
    [{ metadata: "{'topic': 'Art'}", problem: 'Who?', answer: 'Ada Lovelace' }],
    { grader: 'exact', references: ['Ada Lovelace'] },
  ],
  [
    'a worked answer that ends with a sentence',
    [
      { instruction: 'Add.', input: '', output: 'We add 3 and 4. The answer is 7.' },
      { instruction: 'Add them.', input: '1 and 2', output: 'So the answer is 3.' },
    ],
    { grader: 'mathematics', references: ['7.', '3.'] },
  ],
  [
    'long answers in prose',
    [
      {
        instruction: 'Explain it.',
        input: '',
        output: 'It is a long story that nobody repeats word for word, '.repeat(3),
      },
    ],
    { grader: 'judge' },
  ],
  [
    'HumanEval',
    [
      {
        task_id: 'HumanEval/0',
        prompt: 'import math\n\ndef add(a, b):\n    """ Add. """\n',
        entry_point: 'add',
        canonical_solution: '    return a + b\n',
        test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n',
      },
    ],
    { set: 'humaneval', grader: 'unittest', question: '```python\nimport math' },
  ],
  [
    'MBPP',
    [
      {
        task_id: 2,
        prompt: 'Write a function to add.',
        code: 'def add(a, b): return a + b',
        test_imports: ['import math'],
        test_list: ['assert add(1, 2) == 3', 'assert add(0, 0) == 0'],
      },
    ],
    { set: 'mbpp', grader: 'unittest', question: 'assert add(1, 2) == 3\nassert add(0, 0) == 0\n```' },
  ],
  [
    'the full MBPP',
    [
      {
        task_id: 2,
        text: 'Write a function to add.',
        code: 'def add(a, b): return a + b',
        test_list: ['assert add(1, 2) == 3'],
        test_setup_code: '',
        challenge_test_list: [],
      },
    ],
    { set: 'mbpp', grader: 'unittest' },
  ],
  [
    'LeetCode with tests that get a candidate',
    [
      {
        problem: 'Add.\n```python\nclass Solution:\n    def add(self, a: int) -> int:\n```',
        solutions: ['class Solution:\n    def add(self, a): return a'],
        tests: { functional: 'def check(candidate):\n    assert candidate(a = 1) == 1\n' },
      },
    ],
    { grader: 'unittest', question: 'class Solution:' },
  ],
  [
    'APPS, with lists of inputs and outputs',
    [
      {
        question: 'Add two numbers.',
        solutions: '["print(sum(map(int, input().split())))"]',
        input_output: '{"inputs": ["1 2\\n"], "outputs": ["3\\n"]}',
        difficulty: 'easy',
      },
    ],
    { grader: 'python', question: 'reads the input from standard input' },
  ],
  [
    'questions that contain their options, with the letter in brackets',
    [
      { input: 'Which day?\nOptions:\n(A) Monday\n(B) Friday', target: '(B)' },
      { input: 'Which year?\nOptions:\n(A) 1937\n(B) 1938', target: '(A)' },
    ],
    { grader: 'letter', references: ['B', 'A'] },
  ],
  [
    'questions in Chinese that contain their options, with the letter in a list',
    [{ question: '下列正确的是（　）\nA．红 \nB．绿 \nC．蓝', answer: ['C'], analysis: '解：C 正确。'.repeat(20) }],
    { grader: 'letter', references: ['C'], question: '下列正确的是' },
  ],
  [
    'questions of which several options are right',
    [
      { passage: null, question: 'Which are colours?', options: ['(A)red', '(B)cat', '(C)blue'], label: ['A', 'C'] },
      { passage: null, question: 'Which are pets?', options: ['(A)red', '(B)cat', '(C)dog'], label: ['B', 'C'] },
    ],
    { grader: 'judge', references: ['["A","C"]', '["B","C"]'], question: '(A)red\n(B)cat\n(C)blue' },
  ],
  [
    'a table in which the worked solution is longer than the task',
    [{ content: 'Solve it.', answer: 'x < - 2', steps: 'Move the terms, and divide both sides. So $x < -2$.', id: 1 }],
    { grader: 'exact', references: ['x < - 2'], question: 'Solve it.' },
  ],
  [
    'mathematics with intervals, inequalities and subscripts',
    [
      { question: 'Which x?', answer: '(3,4]' },
      { question: 'Solve it.', answer: 'x < - 2' },
      { question: 'Write it in base 11.', answer: '152A_{11}' },
      { question: 'Between which numbers?', answer: '3<m<4' },
    ],
    { grader: 'mathematics' },
  ],
  [
    'PubMedQA, with paragraphs and a long and a short answer',
    [
      {
        QUESTION: 'Does it help?',
        CONTEXTS: ['It is old.', 'It is big.'],
        final_decision: 'yes',
        LONG_ANSWER: 'It helps. '.repeat(20),
      },
      {
        QUESTION: 'Is it safe?',
        CONTEXTS: ['It is new.'],
        final_decision: 'maybe',
        LONG_ANSWER: 'It may be. '.repeat(20),
      },
    ],
    { grader: 'judge', question: 'It is old.\nIt is big.\n\nDoes it help?' },
  ],
  [
    'TabMWP, with the table of each question',
    [{ question: 'What is the mean?', choices: null, answer: '84', table: 'Name | Coins\nMia | 84', solution: 'Add.' }],
    { grader: 'mathematics', references: ['84'], question: 'Mia | 84\n\nWhat is the mean?' },
  ],
  [
    'MMLU as files without a header',
    [
      {
        'column 1': 'Which is first?',
        'column 2': 'red',
        'column 3': 'blue',
        'column 4': '4',
        'column 5': '6',
        'column 6': 'B',
      },
      {
        'column 1': 'Which is next?',
        'column 2': '0',
        'column 3': '1',
        'column 4': '2',
        'column 5': '3',
        'column 6': 'A',
      },
    ],
    { grader: 'letter', references: ['B', 'A'], question: 'Which is first?\n\nA) red\nB) blue\nC) 4\nD) 6' },
  ],
  [
    'MGSM, which has no header',
    [
      { 'column 1': 'Wie viele Stifte?', 'column 2': '11' },
      { 'column 1': 'Wie viele Dosen?', 'column 2': '1,209' },
    ],
    { grader: 'mathematics', references: ['11', '1,209'], question: 'Wie viele Stifte?' },
  ],
  [
    'AIME with other column names',
    [{ ID: '2024-II-4', Problem: 'Find it.', Solution: 'So.', Answer: 33, url: 'https://example.org/2024_AIME_II' }],
    { set: 'aime', grader: 'mathematics', references: ['33'] },
  ],
];

test.each(CASES)('imports %s at the first try', async (_, rows, { set, grader, references, question }) => {
  const { recognized, tasks, skipped, failed } = await imported(rows);
  expect(recognized).toBe(set ?? null);
  expect(skipped).toEqual([]);
  expect(new Set(tasks.map((task) => task.grader))).toEqual(new Set([grader]));
  if (references) expect(tasks.map(({ reference }) => reference)).toEqual(references);
  if (question !== undefined) expect(tasks[0]?.question).toContain(question);
  expect(failed).toEqual([]);
});
