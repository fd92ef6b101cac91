import { describe, expect, test } from 'vitest';
import { sameAnswer } from '../../../../src/core/graders/mathematics';

describe('`sameAnswer` is true for', () => {
  test.each([
    ['numbers in different notation', '1000', '1,000.0'],
    ['a fraction and its decimal', '\\frac{1}{4}', '0.25'],
    ['a fraction and a decimal rounded to five digits', '\\frac{8}{3}', '2.6667'],
    ['a mixed number', '1\\frac{1}{2}', '\\frac{3}{2}'],
    ['a whole number too large for a double', '2^{100}', '1267650600228229401496703205376'],
    ['a rationalised denominator', '\\frac{1}{\\sqrt{2}}', '\\frac{\\sqrt{2}}{2}'],
    ['an expanded product', '(x+1)^2', 'x^2 + 2x + 1'],
    ['an identity of trigonometry', '\\sin 2x', '2 \\sin x \\cos x'],
    ['complex numbers', '(1+i)^2', '2i'],
    ['a polar form', 'e^{i\\pi}', '-1'],
    ['a number with its unit', '15\\mbox{ cm}^2', '15'],
    ['metres at the end', '4 m', '4'],
    ['metres in text', '4\\text{ m}', '4'],
    ['square metres', '4 m^2', '4'],
    ['a unit with a negative exponent', '5 \\text{ cm}^{-1}', '5'],
    ['a sine that vanishes', '\\sin(\\pi)', '0'],
    ['terms that cancel', '\\sqrt{2}\\cdot\\sqrt{3}-\\sqrt{6}', '0'],
    ['infinite values', 'x = -\\infty', '-\\infty'],
    ['a value too large for a double', 'x = e^{1000}', 'e^{1000}'],
    ['an angle with and without its sign', '90^\\circ', '90'],
    ['an amount of money', '\\$1,000.50', '1000.50'],
    ['a percentage and its number', '20\\%', '20'],
    ['a percentage and its fraction', '20\\%', '0.2'],
    ['a labelled and a plain value', 'x = 5', '5'],
    ['a number with a unit in brackets', '9 (apples)', '9'],
    ['a clock time in other words', '4:30 PM', '4:30 p.m.'],
    ['a clock time in 24 hours', '12:05 AM', '0:05'],
    ['a clock time without its minutes', '4:00 PM', '4\\text{ pm}'],
    ['an exponent before a subscript', 'x_{1}^2 + 1', 'x^2_1 + 1'],
    ['a set of solutions and its interval', '\\{x \\mid 1 < x \\le 3\\}', '(1, 3]'],
    ['a set in another order', '\\{1, 2, 3\\}', '\\{3, 1, 2\\}'],
    ['both signs and both values', '1 \\pm \\sqrt{2}', '1-\\sqrt{2}, 1+\\sqrt{2}'],
    ['solutions joined by "and"', '2 \\text{ and } 3', '3, 2'],
    ['the same line in two forms', 'y = 2x + 1', '4x - 2y + 2 = 0'],
    ['an inequality from the other side', 'x > 3', '3 < x'],
    ['an inequality and its interval', '-2 \\le x < 7', '[-2, 7)'],
    ['a union in another order', '(-\\infty, 1) \\cup (2, 3]', '(2,3] \\cup (-\\infty,1)'],
    [
      'matrices in different brackets',
      '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
      '\\begin{bmatrix}1 & 2 \\\\ 3 & 4\\end{bmatrix}',
    ],
    ['a ratio in lower terms', '4:6', '2:3'],
    ['a choice with and without brackets', '\\text{(C)}', 'C'],
    ['a word in another case', '\\text{Evelyn}', 'evelyn'],
    ['binomial coefficients', '\\binom{10}{3}', '120'],
    ['logarithms with a base', '\\log_2 8', '3'],
    ['an odd root of a negative number', '\\sqrt[3]{-8}', '-2'],
    ['scientific notation and a power of ten', '6.02 \\times 10^{23}', '6.02e23'],
    ['a power of ten in plain text', '6.02 × 10^23', '6.02 × 10²³'],
    ['a small number in scientific notation', '1.5e-3', '0.0015'],
    ['a number with a scale', '5000000', '5 million'],
    ['a repeating decimal', '0.\\overline{3}', '\\frac{1}{3}'],
    ['a decimal whose end repeats', '0.1\\overline{6}', '1/6'],
    ['a repeating decimal with brackets', '0.(142857)', '1/7'],
    ['a repeating decimal with an ellipsis', '2.333...', '7/3'],
    ['a cosine in degrees', '\\cos 60^\\circ', '0.5'],
    ['a tangent in degrees', '\\tan(45°)', '1'],
    ['an angle in degrees and in radians', '60^\\circ', '\\frac{\\pi}{3}'],
    ['signs for the empty set', '\\emptyset', '\\varnothing'],
    ['the empty set and empty braces', '∅', '\\{\\}'],
    ['the real numbers and their interval', 'x \\in \\mathbb{R}', '(-\\infty, \\infty)'],
    ['a logarithm without a base', '\\log 100', '2'],
    ['square centimetres in two spellings', '5 \\text{ cm}^2', '5 cm²'],
    ['square feet in words', '5 sq ft', '5 \\text{ square feet}'],
    ['a volume with and without its unit', '10 in^3', '10'],
    ['hours and their abbreviation', '3 hours', '3 hrs'],
    ['a mixed number in plain text', '2.5', '2 1/2'],
    ['a fraction as one character', '2\\frac12', '2½'],
    ['superscripts', 'x^{10}', 'x¹⁰'],
    ['full-width digits', '12', '１２'],
    ['digits of another script', '35', '٣٥'],
  ])('%s', (_, reference, answer) => {
    expect(sameAnswer(reference, answer)).toBe(true);
    expect(sameAnswer(answer, reference)).toBe(true);
  });
});

test.each([
  ['nested brackets', '('.repeat(3000)],
  ['nested fractions', '\\frac{'.repeat(600)],
  ['many factors', 'x'.repeat(3900)],
  ['many items', '1,'.repeat(1900)],
  ['towers of powers', '9^'.repeat(1500) + '9'],
  ['factorials', '9!'.repeat(1000) + '!!!!'],
  ['bars', '|'.repeat(3900)],
  ['signs', '-'.repeat(3990) + '1'],
  ['factorials of factorials', '5' + '!'.repeat(3990)],
  ['slashes', '2' + '/1'.repeat(1990)],
  ['signed exponents', '2^' + '-'.repeat(3990) + '1'],
  ['roots', '\\sqrt'.repeat(700) + '1'],
  ['logarithms', '\\ln'.repeat(1000) + '1'],
  ['less-than signs', '<'.repeat(3990)],
  ['nested matrices', '\\begin{matrix}'.repeat(140) + '\\end{matrix}'.repeat(140)],
  ['plus and minus', '1\\pm'.repeat(700) + '1'],
  ['a megabyte', '1+'.repeat(500_000)],
  ['a long set of solutions', `\\{x \\mid ${'<'.repeat(200_000)}`],
])('distinguishes %s from the answer 5 without an error', (_, text) => {
  expect(sameAnswer('5', text)).toBe(false);
  expect(sameAnswer(text, '5')).toBe(false);
});

test.each([
  ['the other half of the day', '4:30 PM', '4:30 AM'],
  ['a clock time without its half of the day', '4:30 PM', '4:30'],
  ['a ratio', '4:30 PM', '2:15'],
  ['another number with a unit in brackets', '9 (apples)', '8'],
  ['another unit in brackets', '9 (feet)', '9 inches'],
  ['another set of solutions', '\\{x \\mid 1 < x \\le 3\\}', '(1, 3)'],
  ['the solutions for another symbol', '\\{x \\mid 1 < y < 3\\}', '(1, 3)'],
  ['exchanged exponent and subscript', 'x_1^2', 'x^1_2'],
])('distinguishes %s', (_, reference, answer) => {
  expect(sameAnswer(reference, answer)).toBe(false);
});

// `sameAnswer` limits the work for a comparison. Without limits, these comparisons would exceed the test's timeout.
test.each([
  ['nested groups', '('.repeat(40) + '1' + ')'.repeat(40)],
  ['nested braces', '{'.repeat(40) + '1' + '}'.repeat(40)],
  ['nested groups with an unreadable list', '(1,'.repeat(40) + '^' + ')'.repeat(40)],
  ['nested mixed numbers', '1\\frac{'.repeat(40) + '1' + '}{2}'.repeat(40)],
  ['large factorials', Array.from({ length: 190 }, (_, index) => `${1000 - index}!`).join(',')],
])('distinguishes the answer “1,2” from %s before the timeout', (_, text) => {
  expect(sameAnswer('1,2', text)).toBe(false);
});
