import { expect, test } from 'vitest';
import { typeset } from '../../../../src/app/ui/markdown/math';

test('converts a formula to MathML', () => {
  expect(typeset('\\frac{1}{2}', false)).toContain('<mfrac>');
  expect(typeset('x', true)).toContain('display="block"');
});

test.each(['\\frac{1', '\\boxed{x}', '\\fcolorbox{red}{blue}{x}', '\\unknown', '\\text{ style="color:red" }'])(
  'renders %s without style attributes, because the page’s CSP blocks them',
  (formula) => expect(typeset(formula, false)).not.toMatch(/<[^>]* style=/),
);

test('shows the source of an invalid formula', () => {
  expect(typeset('\\frac{1', false)).toContain('\\frac{1');
});
