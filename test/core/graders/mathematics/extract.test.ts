import { expect, test } from 'vitest';
import { extractAnswer } from '../../../../src/core/graders/mathematics';

test.each([
  ['the last answer tags', '<answer>1</answer> no, <answer>$\\frac{1}{2}$</answer>', '\\frac{1}{2}'],
  ['words in answer tags', '<answer>Evelyn</answer>', 'Evelyn'],
  ['the last box', 'So \\boxed{3}. But then \\boxed{\\frac{1}{2}}.', '\\frac{1}{2}'],
  ['a box without braces', 'It is \\boxed 7.', '7'],
  ['a box that was cut off', 'It is \\boxed{12', '12'],
  ['boxes joined by "and"', '\\boxed{-2} and \\boxed{1}', '-2, 1'],
  ['a percent sign after the box', '\\boxed{20} percent', '20 \\%'],
  ['a final answer after the box', 'First \\boxed{255}. The final answer is $10,455$.', '10,455'],
  ['an announced answer', 'The answer is 42.', '42'],
  ['the last formula', 'We get $x = 3$ and then $y = 4$.', 'y = 4'],
  ['formulas joined by commas', 'They are $1$, $2$ and $3$', '1, 2, 3'],
  ['the last number', 'I counted 3, then 14 apples', '14'],
  ['a short formula without delimiters', '\\frac{10}{9}', '\\frac{10}{9}'],
  ['the answer after the end of thinking', '<think>\\boxed{1}</think> It is 2.', '2'],
])('extractAnswer finds %s', (_, response, answer) => {
  expect(extractAnswer(response)).toBe(answer);
});

test('extractAnswer returns null for a response without mathematics', () => {
  expect(extractAnswer('I do not know.')).toBeNull();
  expect(extractAnswer('')).toBeNull();
});

test.each([
  ['openings of formulas', '\\['.repeat(200_000)],
  ['dollars', '$'.repeat(400_000)],
  ['boxes', '\\boxed{'.repeat(60_000)],
  ['answer tags', '<answer>'.repeat(60_000)],
  ['digits', '1 '.repeat(250_000)],
  ['announcements', 'answer is '.repeat(50_000)],
])('extractAnswer does not throw on a long response of %s', (_, response) => {
  expect(() => extractAnswer(response)).not.toThrow();
});
