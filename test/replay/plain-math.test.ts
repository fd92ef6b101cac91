import { expect, test } from 'vitest';
import { plainMath } from '../../src/replay/plain-math';

test.each([
  ['(50 + 4) \\times 8 = 432', '(50 + 4) × 8 = 432'],
  ['\\frac{1}{2} \\le \\frac{x + 1}{3}', '1/2 ≤ (x + 1)/3'],
  ['\\boxed{\\text{about } 42}', '\\boxed{about 42}'],
  ['\\boxed{42}', '42'],
  ['\\left( a_1 \\right)\\,\\%', '( a_1 ) %'],
  ['\\unknown{x}', '\\unknown{x}'],
])('shows the formula %s as the text %s', (formula, shown) => {
  expect(plainMath(formula)).toBe(shown);
});
