import { describe, expect, it } from 'vitest';
import { FaultError, type EvaluationTask } from '../../../src/core/contract';
import { checkGradable } from '../../../src/core/graders/grader-for';
import { createPuzzleGrader } from '../../../src/core/graders/puzzle';

const grader = createPuzzleGrader();
const { signal } = new AbortController();
const question = 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';

describe('the puzzle grader', () => {
  it('needs no reference answer', async () => {
    expect(await grader.grade({ question }, 'I take **7 × (50 + 25) + 8 + 4**.', signal)).toEqual({
      correct: true,
      detail: 'It makes 537, and no number is used too often.',
    });
  });

  it('names the mistake in one sentence', async () => {
    expect(await grader.grade({ question }, '50 × 7 + 25 × 8 − 4 × 3', signal)).toEqual({
      correct: false,
      detail: 'It makes 538, 1 past 537.',
    });
    expect(await grader.grade({ question }, '25 × 25 − 88', signal)).toEqual({
      correct: false,
      detail: 'It uses 25 more often than it is given.',
    });
  });

  it('counts a text without an answer as wrong', async () => {
    expect((await grader.grade({ question }, '', signal)).correct).toBe(false);
  });

  it('rejects a question that is not a puzzle', async () => {
    const graded = grader.grade({ question: 'What is the capital of France?' }, 'Paris', signal);
    await expect(graded).rejects.toBeInstanceOf(FaultError);
    await expect(graded).rejects.toMatchObject({ fault: { code: 'question-unreadable', retryable: false } });
  });

  it('makes `checkGradable` report a question that is not a puzzle', async () => {
    const task: EvaluationTask = { id: '1', question, grader: 'puzzle', domain: 'maths' };
    expect(await checkGradable(task, {}, signal)).toBe(null);
    expect(await checkGradable({ ...task, question: 'What is the capital of France?' }, {}, signal)).toMatchObject({
      code: 'question-unreadable',
    });
  });

  it('throws an AbortError when the signal is aborted', async () => {
    await expect(grader.grade({ question }, '', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
