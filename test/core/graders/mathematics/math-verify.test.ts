import { expect, test } from 'vitest';
import { extractAnswer, sameAnswer } from '../../../../src/core/graders/mathematics';
import cases from '../../../fixtures/math-verify/cases.json' with { type: 'json' };

/**
 * The reason for each case in which Podium disagrees with the tests of math-verify. The keys are
 * indexes of cases.
 */
const DISAGREEMENTS: Readonly<Record<number, string>> = {
  31: 'A formula between single dollars may span lines: models write such formulas.',
  32: 'A formula between \\( and \\) may span lines: models write such formulas.',
  133: 'The test rounds to two digits. 0.33 is not 1/3 here.',
  187: 'An inequality and the interval that it describes are the same in both directions.',
  259: 'The test expects 1 + 1/e to equal 1 - 1/e.',
  264: 'Two boxes that are joined by plus signs are not one answer.',
  268: 'The test turns off the comparison of variable names.',
};

test('`extractAnswer` and `sameAnswer` agree with math-verify on all cases except `DISAGREEMENTS`', () => {
  const disagreements = cases.flatMap(({ gold, answer, same }, index) => {
    const reference = extractAnswer(gold) ?? gold;
    const given = extractAnswer(answer);
    return (given !== null && sameAnswer(reference, given)) === same ? [] : [index];
  });

  expect(disagreements).toEqual(Object.keys(DISAGREEMENTS).map(Number));
  expect(cases.length - disagreements.length).toBeGreaterThanOrEqual(240);
});
