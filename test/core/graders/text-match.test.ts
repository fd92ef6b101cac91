import { expect, test } from 'vitest';
import { createExactGrader, createMathematicsGrader, createPatternGrader } from '../../../src/core/graders';

const { signal } = new AbortController();

test('compares the last line with the reference without regard to case and a final period', async () => {
  const task = { question: 'Capital of France?', reference: 'Paris' };

  expect(await createExactGrader().grade(task, 'It is in the north.\nparis.', signal)).toMatchObject({ correct: true });
  expect(await createExactGrader().grade(task, 'Lyon', signal)).toMatchObject({ correct: false });
});

test('matches a pattern against the whole answer', async () => {
  const task = { question: 'When?', reference: '19(69|70)' };

  expect(await createPatternGrader().grade(task, '<answer>1969</answer>', signal)).toMatchObject({ correct: true });
  expect(await createPatternGrader().grade(task, 'In 1969', signal)).toMatchObject({ correct: false });
});

test('reports an invalid pattern in a sentence', async () => {
  const grading = createPatternGrader().grade({ question: '?', reference: '(' }, 'x', signal);

  await expect(grading).rejects.toMatchObject({ fault: { code: 'nothing-to-grade' } });
});

test('grades mathematics by value, and by string as the published code does', async () => {
  const task = { question: 'Half?', reference: '\\frac{1}{2}' };
  const answer = 'So <answer>0.5</answer>';

  expect(await createMathematicsGrader('strict').grade(task, answer, signal)).toMatchObject({ correct: true });
  expect(await createMathematicsGrader('paper-artefact').grade(task, answer, signal)).toMatchObject({ correct: false });
  const list = { question: 'Roots?', reference: '1, -2' };
  expect(await createMathematicsGrader('paper-artefact').grade(list, '<answer>-2,1</answer>', signal)).toMatchObject({
    correct: true,
  });
});

test('says that a response has no final answer', async () => {
  const verdict = await createMathematicsGrader('strict').grade({ question: '?', reference: '1' }, 'No idea.', signal);

  expect(verdict).toEqual({ correct: false, detail: 'No final answer was found in the response.' });
});
