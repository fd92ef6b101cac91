import { expect, test } from 'vitest';
import { matchesRlpr } from '../../../src/core/graders/rlpr';

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
])('tells %s from %s', (reference, answer) => {
  expect(matchesRlpr(reference, answer, 'strict')).toBe(false);
  expect(matchesRlpr(reference, answer, 'paper-artefact')).toBe(false);
});

test('takes the first number of a sentence only as the published code does', () => {
  expect(matchesRlpr('12', 'In 12 of the 40 cases it fails', 'paper-artefact')).toBe(true);
  expect(matchesRlpr('12', 'In 12 of the 40 cases it fails', 'strict')).toBe(false);
});

test('reads any k as thousand only as the published code does', () => {
  expect(matchesRlpr('5000', '5 kg', 'paper-artefact')).toBe(true);
  expect(matchesRlpr('5000', '5 kg', 'strict')).toBe(false);
  expect(matchesRlpr('-12.5 kJ/mol', '-12.5', 'strict')).toBe(true);
});
