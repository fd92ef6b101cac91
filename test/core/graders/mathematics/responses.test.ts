/** @file Tests the strict rules for finding the answer, with responses like those of models. */
import { expect, test } from 'vitest';
import { createMathematicsGrader } from '../../../../src/core/graders/mathematics';

const verdict = async (response: string, reference: string) => {
  const task = { question: '?', reference };
  const { correct } = await createMathematicsGrader('strict').grade(task, response, new AbortController().signal);
  return correct;
};

test.each([
  ['The answer is −3.', '-3'],
  ['<answer>−3</answer>', '-3'],
  ['\\boxed{√51}', '\\sqrt{51}'],
  ['<answer>3√13</answer>', '3\\sqrt{13}'],
  ['The answer is √51.', '\\sqrt{51}'],
  ['\\boxed{8\\pi \\text{ cm}}', '8\\pi'],
  ['\\boxed{8\\pi\\text{ cm}^2}', '8\\pi'],
  ['\\boxed{8\\pi \\text{ square units}}', '8\\pi'],
  ['\\boxed{8\\pi\\,\\mathrm{cm}}', '8\\pi'],
  ['\\boxed{\\pi \\text{ radians}}', '\\pi'],
  ['\\boxed{8\\pi}', '8\\pi \\text{ cm}'],
  ['\\boxed{12 km/h}', '12'],
  ['\\boxed{12 m/s}', '12'],
  ['Answer: 15 (5 × 3)', '15'],
  ['The answer is 42 km after 3 hours.', '42'],
  ['The answer is **18 dollars** (9 eggs at $2 each).', '18'],
  ['The answer is 12 (since 3 * 4 = 12, not 13).', '12'],
  ['The answer is 5 (option 3).', '5'],
  ['**Answer: $18 per day (9 eggs × $2)**', '18'],
  ['The answer is 3 + 4 = 7.', '7'],
  ['The answer is $5 \\text{ apples}$.', '5'],
  ['\\boxed{\\frac{3}{2} \\text{ or } 1.5}', '3/2'],
  ['\\boxed{\\frac12 or 50\\%}', '0.5'],
])('%s is right for the reference %s', async (response, reference) => {
  expect(await verdict(response, reference)).toBe(true);
});

test.each([
  ['The answer is −3.', '3'],
  ['<answer>√13</answer>', '3'],
  ['The answer is √51.', '51'],
  ['Answer: 15 (5 × 3)', '3'],
  ['The answer is 12 (since 3 * 4 = 12, not 13).', '13'],
  ['\\boxed{3x \\text{ or } 2}', '2'],
])('%s is wrong for the reference %s', async (response, reference) => {
  expect(await verdict(response, reference)).toBe(false);
});
