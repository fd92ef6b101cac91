import { expect, test } from 'vitest';
import { createMathematicsGrader } from '../../../src/core/graders/mathematics';
import { createPatternGrader } from '../../../src/core/graders/pattern';
import { createExactGrader } from '../../../src/core/graders/text-match';

const { signal } = new AbortController();

test('compares the last line with the reference, and ignores case and a final period', async () => {
  const task = { question: 'Capital of France?', reference: 'Paris' };

  expect(await createExactGrader().grade(task, 'It is in the north.\nparis.', signal)).toMatchObject({ correct: true });
  expect(await createExactGrader().grade(task, 'Lyon', signal)).toMatchObject({ correct: false });
});

test('compares mathematics by value under the strict rules, and by text under the published code’s rules', async () => {
  const task = { question: 'Half?', reference: '\\frac{1}{2}' };
  const answer = 'So <answer>0.5</answer>';

  expect(await createMathematicsGrader('strict').grade(task, answer, signal)).toMatchObject({ correct: true });
  expect(await createMathematicsGrader('paper-artefact').grade(task, answer, signal)).toMatchObject({ correct: false });
  const list = { question: 'Roots?', reference: '1, -2' };
  expect(await createMathematicsGrader('paper-artefact').grade(list, '<answer>-2,1</answer>', signal)).toMatchObject({
    correct: true,
  });
});

test('explains the verdict “wrong” for a response without a final answer', async () => {
  const verdict = await createMathematicsGrader('strict').grade({ question: '?', reference: '1' }, 'No idea.', signal);

  expect(verdict).toEqual({ correct: false, detail: 'No final answer was found in the response.' });
});

test.each(['desserts', '**desserts**', '**Answer: desserts**', '**Answer:** desserts.', 'Final answer: `desserts`'])(
  'the exact grader and the pattern grader accept the answer in “%s”, and reject another word in its place',
  async (answer) => {
    const task = { question: 'Reverse it.', reference: 'desserts' };
    const pattern = { ...task, reference: String.raw`desserts\.?` };
    const grades = async (response: string) => [
      (await createExactGrader().grade(task, `So:\n${response}`, signal)).correct,
      (await createPatternGrader().grade(pattern, `So:\n${response}`, signal)).correct,
    ];
    expect(await grades(answer)).toEqual([true, true]);
    expect(await grades(answer.replace('desserts', 'desert'))).toEqual([false, false]);
  },
);

test.each([
  '```\nParis\n```',
  'Here:\n\n```text\nParis\n```\n',
  'The final answer is **Paris**.',
  '“Paris.”',
  '$\\boxed{\\text{Paris}}$',
  '[Paris]',
  '{"answer": "Paris"}',
  '- Paris',
  '答案：Paris',
  'Ｐａｒｉｓ',
])('the exact grader accepts the answer in “%s”, and rejects another word in its place', async (answer) => {
  const grade = async (reference: string) =>
    (await createExactGrader().grade({ question: 'Which?', reference }, answer, signal)).correct;
  expect(await grade('Paris')).toBe(true);
  expect(await grade('London')).toBe(false);
});

test('the exact grader keeps brackets around a list, and accepts “none of these” as an answer', async () => {
  const grade = async (reference: string, answer: string) =>
    (await createExactGrader().grade({ question: 'Which?', reference }, answer, signal)).correct;
  expect(await grade('1, 2', '[1, 2]')).toBe(false);
  expect(await grade('none of these', 'Answer: none of these')).toBe(true);
});

test.each([
  ['__init__', true],
  ['init', false],
  ['_init_', false],
  ['**init**', false],
])('for the reference “__init__”, the answer “%s” is graded as correct: %s', async (answer, correct) => {
  const task = { question: 'Which method?', reference: '__init__' };
  expect(await createExactGrader().grade(task, answer, signal)).toMatchObject({ correct });
});
