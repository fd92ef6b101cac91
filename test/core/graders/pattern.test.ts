import { expect, test } from 'vitest';
import type { EvaluationTask } from '../../../src/core/contract';
import { createPatternGrader } from '../../../src/core/graders/pattern';
import { checkGradable } from '../../../src/core/graders/grader-for';

const { signal } = new AbortController();

test('matches a pattern against the whole answer', async () => {
  const task = { question: 'When?', reference: '19(69|70)' };

  expect(await createPatternGrader().grade(task, '<answer>1969</answer>', signal)).toMatchObject({ correct: true });
  expect(await createPatternGrader().grade(task, 'In 1969', signal)).toMatchObject({ correct: false });
});

test.each(['Levi’s Stadium.', '**Levi’s Stadium.**', 'The answer is Levi’s Stadium.', 'So:\n\nlevi’s stadium!'])(
  'ignores a final period and the form of quotes in %j',
  async (answer) => {
    const task = { question: 'Where?', reference: "Levi's Stadium|Santa Clara" };

    expect(await createPatternGrader().grade(task, answer, signal)).toMatchObject({ correct: true });
    const wrong = answer.replace(/stadium/i, 'Garden');
    expect(await createPatternGrader().grade(task, wrong, signal)).toMatchObject({ correct: false });
  },
);

test.each([
  ['(', 'nothing-to-grade', 'not a valid regular expression'],
  ['(a)\\1', 'not-gradable', 'back-reference'],
])(
  'explains why the pattern %s cannot be used, both before a run and during grading',
  async (reference, code, words) => {
    const task: EvaluationTask = { id: '1', question: '?', reference, grader: 'pattern', domain: 'knowledge' };
    const expected = { code, message: expect.stringContaining(words) };

    expect(await checkGradable(task, {}, signal)).toMatchObject(expected);
    await expect(createPatternGrader().grade(task, 'x', signal)).rejects.toMatchObject({ fault: expected });
  },
);

test('grades a long answer even if the pattern has nested repetitions', async () => {
  const task: EvaluationTask = { id: '1', question: '?', reference: '(a+)+b', grader: 'pattern', domain: 'knowledge' };

  expect(await checkGradable(task, {}, signal)).toBe(null);
  expect(await createPatternGrader().grade(task, 'a'.repeat(10_000), signal)).toMatchObject({ correct: false });
});

test('reports `not-gradable` instead of a wrong answer if matching takes too long', async () => {
  const task = { question: '?', reference: '.*(a{0,50}){0,50}b' };

  const grading = createPatternGrader().grade(task, 'a'.repeat(1_000_000), signal);
  await expect(grading).rejects.toMatchObject({ fault: { code: 'not-gradable' } });
});
