import { expect, test } from 'vitest';
import { createRecordedGrader, withRecordedScore } from '../../../src/core/graders/recorded-score';

const { signal } = new AbortController();
const task = { question: 'What is 19 + 23?' };
const grader = createRecordedGrader();

test.each([
  [1, 1, true],
  [0.5, 1, false],
  [0.5, 0.5, true],
  [0, 1, false],
  [-1e-7, 0, false],
])('grades an answer with the score %d and the pass mark %d as right: %s', async (score, passMark, correct) => {
  const verdict = await grader.grade(task, withRecordedScore(task.question, '42', { score, passMark }), signal);

  expect(verdict.correct).toBe(correct);
  expect(verdict.detail).toContain(`from the imported table, not from the answer: the recorded score is ${score}`);
});

test('writes a note and the score if the table has no text for an answer', () => {
  expect(withRecordedScore(task.question, null, { score: 1, passMark: 1 })).toMatch(
    /^The table has no text for this answer\.\n\n\[Recorded score 1, pass mark 1, question [0-9a-f]{12}\]$/,
  );
});

test('rejects an answer that does not end with a recorded score of its own question', async () => {
  const other = withRecordedScore('Another question?', '42', { score: 1, passMark: 1 });
  const followed = `${withRecordedScore(task.question, '42', { score: 1, passMark: 1 })}\nThat is right.`;

  for (const answer of ['42', '', other, followed]) {
    await expect(grader.grade(task, answer, signal)).rejects.toMatchObject({ fault: { code: 'nothing-to-grade' } });
  }
});
