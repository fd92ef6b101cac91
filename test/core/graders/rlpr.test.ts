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

test('grades the answer in the tags, and under the strict rules also a final answer without tags', async () => {
  const task = { question: 'How much?', reference: '12.5' };
  const { signal } = new AbortController();

  const tagged = await createRlprGrader('paper-artefact').grade(task, 'So <answer>12.5 J</answer>', signal);
  const untagged = 'The answer is 12.5.';

  expect(tagged).toMatchObject({ correct: true });
  expect(await createRlprGrader('strict').grade(task, untagged, signal)).toMatchObject({ correct: true });
  expect(await createRlprGrader('paper-artefact').grade(task, untagged, signal)).toMatchObject({ correct: false });
});

// With exponential time, these comparisons would exceed the test's timeout.
test('distinguishes a number from a long text that starts with it', () => {
  const text = `1 ${'a'.repeat(5000)} !`;

  expect(matchesRlpr('1', text, 'strict')).toBe(false);
  expect(matchesRlpr('1', `1${'a'.repeat(90)}!`, 'strict')).toBe(false);
});

test('accepts a unit of at most three words after a number', () => {
  expect(matchesRlpr('12', '12 miles per hour', 'strict')).toBe(true);
  expect(matchesRlpr('12', '12 of the forty cases', 'strict')).toBe(false);
});
