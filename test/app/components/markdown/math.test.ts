import { expect, test } from 'vitest';
import { typeset } from '../../../../src/app/components/markdown/math';

test('a formula becomes MathML', () => {
  expect(typeset('\\frac{1}{2}', false)).toContain('<mfrac>');
  expect(typeset('x', true)).toContain('display="block"');
});

test.each(['\\frac{1', '\\boxed{x}', '\\fcolorbox{red}{blue}{x}', '\\unknown', '\\text{ style="color:red" }'])(
  '%s gets no style attribute, because the page’s CSP blocks style attributes',
  (formula) => expect(typeset(formula, false)).not.toMatch(/<[^>]* style=/),
);

test('an invalid formula is shown as plain text', () => {
  expect(typeset('\\frac{1', false)).toContain('\\frac{1');
});
