import { expect, test } from 'vitest';
import type { Task } from '../../../../src/core/contract';
import { createMathematicsGrader } from '../../../../src/core/graders/mathematics';

const grade = async (answer: string, task: Task, profile: 'strict' | 'paper-artefact' = 'paper-artefact') =>
  (await createMathematicsGrader(profile).grade(task, answer, new AbortController().signal)).correct;

const AIME: Task = { question: 'How many?', reference: '693', artefactRules: 'aime' };

test.each([
  ['a box', '\\boxed{693}', true],
  ['a box with an equation', '\\boxed{x^2 + 693 = 1386}', true],
  ['the same number as a decimal', '\\boxed{693.0}', true],
  ['answer tags', '<answer>N = 693</answer>', true],
  ['another number', 'The answer is 694.', false],
  ['a longer number', '\\boxed{6931}', false],
])(
  'under the rules of the paper’s code, looks for the reference among all numbers of an AIME answer: %s',
  async (...given) => {
    const [, answer, isCorrect] = given;
    expect(await grade(answer, AIME)).toBe(isCorrect);
  },
);

test.each([
  ['the first price of a sum', 'It costs $693 + $2 = $695.', true],
  ['a number in full-width digits', 'The answer is ６９３.', false],
  ['the marker of GSM8K', 'So 694.\n#### 693\nThis uses 5 steps.', false],
  ['the answer before a remark', 'Therefore 693 pupils came. I used 3 steps.', false],
])('under the rules of the paper’s code, keeps the earlier search for an AIME answer: %s', async (...given) => {
  const [, answer, isCorrect] = given;
  expect(await grade(answer, AIME)).toBe(isCorrect);
});

test('under the strict rules, an AIME answer is wrong if it is an equation that contains the reference', async () => {
  expect(await grade('\\boxed{x^2 + 693 = 1386}', AIME, 'strict')).toBe(false);
});

test('under the rules of the paper’s code, a mathematics answer outside AIME needs answer tags', async () => {
  const task: Task = { question: 'How many?', reference: '693' };
  expect(await grade('\\boxed{693}', task)).toBe(false);
  expect(await grade('<ANSWER> 693 </Answer>', task)).toBe(true);
});
