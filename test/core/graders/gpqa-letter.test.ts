import { expect, test } from 'vitest';
import { createChoiceLetterGrader } from '../../../src/core/graders/choice-letter';
import { gpqaLetter } from '../../../src/core/graders/gpqa-letter';

test.each([
  ['a sentence with the answer', 'The answer is B.', 'B'],
  ['a letter alone', 'B', 'B'],
  ['the requested last line', 'Carbon has 6 protons.\n\nAnswer: B', 'B'],
  ['the final answer', 'Let me think.\n\nFinal answer is: B', 'B'],
  ['the final answer before “I hope it is correct”', 'Answer: C. The final answer is (B). I hope it is correct.', 'B'],
  ['a letter in brackets', 'Therefore, the answer is (B).', 'B'],
  ['a letter before a comma', 'I believe it’s B, carbon.', 'B'],
  ['a letter at the end of a sentence', 'The correct choice is B.', 'B'],
  ['a bold letter on its own line', 'I compared all.\n**B**\nThat is all.', 'B'],
  ['the last of two answers', 'Answer: B\nNo.\nAnswer: D\n', 'D'],
])('gpqaLetter finds the chosen letter in a response with %s', (_, response, letter) => {
  expect(gpqaLetter(response)).toBe(letter);
});

test('gpqaLetter falls back to the last letter from A to D, even within a word', () => {
  expect(gpqaLetter('B) Carbon is correct')).toBe('C');
  expect(gpqaLetter('none of them')).toBeNull();
});

test('the profile `paper-artefact` requires answer tags, except in a task with the rules `gpqa`', async () => {
  const task = { question: 'Which?', reference: 'B' };
  const grade = (given: typeof task & { readonly artefactRules?: 'gpqa' }) =>
    createChoiceLetterGrader('paper-artefact').grade(given, 'Answer: B', new AbortController().signal);

  expect(await grade({ ...task, artefactRules: 'gpqa' })).toMatchObject({ correct: true });
  expect(await grade(task)).toMatchObject({ correct: false });
});
