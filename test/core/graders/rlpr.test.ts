import { expect, test } from 'vitest';
import { createRlprGrader, matchesRlpr } from '../../../src/core/graders/rlpr';

test.each([
  ['Newton', 'newton'],
  ['25%', '25 %'],
  ['1000', '1000.9'],
  ['3.5 million', '3500000'],
  ['$1,200', '1200 dollars'],
  ['0.5', '0.5000001'],
])('matches %s with %s', (reference, answer) => {
  expect(matchesRlpr(reference, answer, 'strict')).toBe(true);
  expect(matchesRlpr(reference, answer, 'paper-artefact')).toBe(true);
});

test.each([
  ['Newton', 'Pascal'],
  ['25%', '26%'],
  ['1000', '1002'],
  ['0.5', '0.501'],
  ['12', '-12'],
])('distinguishes %s from %s', (reference, answer) => {
  expect(matchesRlpr(reference, answer, 'strict')).toBe(false);
  expect(matchesRlpr(reference, answer, 'paper-artefact')).toBe(false);
});

test('takes the first number of a sentence as the answer only under the rules of the paper’s code', () => {
  expect(matchesRlpr('12', 'In 12 of the 40 cases it fails', 'paper-artefact')).toBe(true);
  expect(matchesRlpr('12', 'In 12 of the 40 cases it fails', 'strict')).toBe(false);
});

test('reads every "k" as thousand only under the rules of the paper’s code', () => {
  expect(matchesRlpr('5000', '5 kg', 'paper-artefact')).toBe(true);
  expect(matchesRlpr('5000', '5 kg', 'strict')).toBe(false);
  expect(matchesRlpr('-12.5 kJ/mol', '-12.5', 'strict')).toBe(true);
});

test('grades the answer between <answer> tags, and under the strict rules also a final answer without tags', async () => {
  const task = { question: 'How much?', reference: '12.5' };
  const { signal } = new AbortController();

  const tagged = await createRlprGrader('paper-artefact').grade(task, 'So <answer>12.5 J</answer>', signal);
  const untagged = 'The answer is 12.5.';

  expect(tagged).toMatchObject({ correct: true });
  expect(await createRlprGrader('strict').grade(task, untagged, signal)).toMatchObject({ correct: true });
  expect(await createRlprGrader('paper-artefact').grade(task, untagged, signal)).toMatchObject({ correct: false });
});

// A regular expression with exponential backtracking would exceed the test's timeout.
test('distinguishes a number from a long text that starts with the same number', () => {
  const text = `1 ${'a'.repeat(5000)} !`;

  expect(matchesRlpr('1', text, 'strict')).toBe(false);
  expect(matchesRlpr('1', `1${'a'.repeat(90)}!`, 'strict')).toBe(false);
});

test('accepts a unit of at most three words after a number', () => {
  expect(matchesRlpr('12', '12 miles per hour', 'strict')).toBe(true);
  expect(matchesRlpr('12', '12 of the forty cases', 'strict')).toBe(false);
});

test.each([
  ['1/2', '1/3'],
  ['3/4', '3/8'],
  ['2-butanol', '2-propanol'],
  ['1-bromo-2-methylpropane', '1-bromobutane'],
  ['5.2x10^-4', '5.2x10^-3'],
  ['2^10', '2^12'],
  ['2x', '2y'],
  ['1914-07-28', '1914-08-01'],
  ['19th century', '19 days'],
])('%s is not the same as %s, although both begin with the same number', (reference, answer) => {
  expect(matchesRlpr(reference, answer, 'strict')).toBe(false);
});

test.each([
  ['1/2', '0.5'],
  ['5.2x10^-4', '5.2 \\times 10^{-4}'],
  ['0.00052', '5.2 × 10^-4 mol/L'],
  ['9.8', '9.8 m/s^2'],
  ['9.8', '9.8m/s²'],
  ['-3', '\u22123'],
  ['25%', '0.25'],
  ['0.5', '50%'],
  ['50%', '50'],
])('%s is the same number as %s', (reference, answer) => {
  expect(matchesRlpr(reference, answer, 'strict')).toBe(true);
});

test.each([
  ['5000000', 'The distance is 5 million km.'],
  ['3.2e5', 'The energy is 3.2 × 10^5 J at 20 °C.'],
  ['0.25', 'So the probability is 25% for each of the 4 cards.'],
  ['12', 'Answer: 12 kg (about 26 lb)'],
  ['18', 'She makes $18 from 9 eggs at $2.'],
  ['1/3', 'Therefore it is 1/3.'],
])('finds the answer %s in “%s” under the strict rules', async (reference, response) => {
  const task = { question: 'How much?', reference };
  expect((await createRlprGrader('strict').grade(task, response, new AbortController().signal)).correct).toBe(true);
});
