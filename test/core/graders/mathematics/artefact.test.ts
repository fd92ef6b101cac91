import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameString } from '../../../../src/core/graders/mathematics/artefact';

/**
 * A reference implementation of the normalization, with one regular expression for each rule. The expression for `\boxed`
 * takes quadratic time.
 */
function normalized(text: string): string {
  return text
    .replace(/\\boxed\s*\{([^]*)\}/, '$1')
    .replace(/\\[dt]frac/g, '\\frac')
    .replace(/\\(?:left|right|!|,)/g, '')
    .replace(/\^\{?\\circ\}?/g, '')
    .replace(/\\text\s*\{([^{}]*)\}/g, '$1')
    .replace(/\\pm/g, '±')
    .replace(/^.*\\in(?![a-z])/, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[\s$]/g, '');
}
const sorted = (text: string) => text.split(',').sort().join(',');

function isSameByExpression(reference: string, answer: string): boolean {
  const [one, other] = [normalized(reference), normalized(answer)];
  return one === other || sorted(one) === sorted(other);
}

test('`isSameString` agrees with an implementation that uses one regular expression for each rule', () => {
  const answer = fc.string({ unit: fc.constantFrom('\\boxed', '{', '}', ' ', '1', ',', '$', '\\in'), maxLength: 10 });
  fc.assert(
    fc.property(answer, answer, (one, other) => {
      for (const reference of [normalized(one), other]) {
        expect(isSameString(reference, one)).toBe(isSameByExpression(reference, one));
      }
    }),
    { numRuns: 5000 },
  );
});

test('`isSameString` handles 100,000 unclosed boxes within the time limit of a test', () => {
  expect(isSameString('1', '\\boxed{'.repeat(100_000))).toBe(false);
});

test.each([
  ['1', '\\boxed {1}'],
  ['a{1}b', 'a\\boxed{{1}}b'],
])('`isSameString` accepts the reference %s for the answer %s', (reference, answer) => {
  expect(isSameString(reference, answer)).toBe(true);
});
