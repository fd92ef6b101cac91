/** @file Rewrites notations for numbers as LaTeX that the reader knows: repeating decimals, `6.02e23`, superscripts, degrees. */
import { withAsciiDigits } from './plain-text';

const SCALES: Readonly<Record<string, string>> = {
  thousand: '10^{3}',
  million: '10^{6}',
  billion: '10^{9}',
  trillion: '10^{12}',
};
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const TRIGONOMETRIC = /(?<![a-zA-Z])(?:sin|cos|tan|cot|sec|csc)(?![a-zA-Z])/;
const DEGREE =
  /\^\s*(?:\{\s*)?\\circ(?:\s*\})?|\u00b0(?!\s?[CF]\b)|\\degree\b|(?<=\d\s{0,30})\\text\s*\{\s*degrees?\s*\}/g;

/** A set such as `{x | 1 < x < 3}`: its symbol and its condition. */
const SOLUTION_SET =
  /^\s{0,9}\$?\s{0,9}(?:\\left\s{0,9})?\\\{\s{0,9}([a-zA-Z])\s{0,9}(?:\\in\s{0,9}\\mathbb\s{0,9}\{?\s{0,9}R\s{0,9}\}?\s{0,9})?(?:\\mid(?![a-zA-Z])|\\?[:|])([^{}]*)\\\}\s{0,9}\$?\s{0,9}$/;
const INEQUALITY = /[<>≤≥]|\\(?:leq?|geq?|lt|gt)(?![a-zA-Z])/;

/**
 * Rewrites notations that models use for the same value as LaTeX. In the argument of a sine or a similar function, a degree is
 * π/180. Elsewhere it is a unit.
 */
export function standardNotation(latex: string): string {
  const angles = TRIGONOMETRIC.test(latex) ? latex.replace(DEGREE, IN_RADIANS) : latex;
  return (
    withAsciiDigits(angles)
      .replace(/[⁰¹²³⁴-⁹⁺⁻]+/g, (raised) => `^{${[...raised].map(plainDigit).join('')}}`)
      .replace(/\*\*/g, '^')
      // A subscript belongs to the name, so it comes first.
      .replace(/\^\s?(\{[^{}]{0,40}\}|\d)\s?_\s?(\{[^{}]{0,40}\}|\w)/g, '_$2^$1')
      // In LaTeX, `x^23` raises x only to the power of 2. Plain text and powers of ten mean the whole number.
      .replace(latex.includes('\\') ? /(?<=(?<!\d)10\s{0,30})\^\s*(-?\d{1,4})/g : /\^\s*(-?\d{1,9})/g, '^{$1}')
      .replace(/(?<=\d)\s+[xX]\s+(?=\d)|(?<=\d)\s*[xX]\s*(?=10\s*\^)/g, ' \\times ')
      .replace(
        /(?<=\d)[eE]([+-]?\d{1,4})(?![\d.])/g,
        (_, exponent: string) => ` \\times 10^{${exponent.replace('+', '')}}`,
      )
      .replace(
        /(?<=\d)\s+(thousand|million|billion|trillion)\b/gi,
        (_, word: string) => ` \\times ${SCALES[word.toLowerCase()]} `,
      )
      .replace(
        /(\d{0,12})\.(\d{0,12})\\(?:overline|bar|dot)\s*(?:\{\s*(\d{1,12})\s*\}|(\d))/g,
        (_, whole: string, fixed: string, group?: string, digit?: string) =>
          repeating(whole, fixed, group ?? digit ?? ''),
      )
      .replace(/(\d{1,12})\.\((\d{1,12})\)/g, (_, whole: string, group: string) => repeating(whole, '', group))
      .replace(
        /(\d{1,12})\.(\d{0,8}?)(\d)\3{2,20}\s*(?:\\l?dots|\.\.\.|…)/g,
        (_, whole: string, fixed: string, digit: string) => repeating(whole, fixed, digit),
      )
      .replace(/(?<![\d./])(\d{1,12}) (\d{1,6})\/(\d{1,6})(?![\d.])/g, '$1\\frac{$2}{$3}')
      .replace(/\\varnothing|∅|\\text\s*\{\s*(?:the )?empty set\s*\}|\b(?:the )?empty set\b|\\emptyset/gi, '\\{\\}')
      .replace(/ℝ/g, '\\mathbb{R}')
      .replace(/((?:^|\\in)[\s$]*)\\mathbb\s*(?:\{\s*)?R(?:\s*\})?([\s$.]*)$/, '$1(-\\infty,\\infty)$2')
      .replace(/\\lnot\b|¬/g, '\\neg ')
      .replace(SOLUTION_SET, conditionOf)
  );
}

/** The condition of a set of the solutions of an inequality. Any other set stays as it is. */
function conditionOf(set: string, symbol: string, condition: string): string {
  const isAbout = new RegExp(`(?<![a-zA-Z\\\\])${symbol}(?![a-zA-Z])`).test(condition);
  return isAbout && INEQUALITY.test(condition) ? condition.replace(/\\right\s{0,9}$/, '') : set;
}

/** The text with all angles in radians. `null`: the text has no angles in degrees. */
export function inRadians(latex: string): string | null {
  const converted = latex.replace(DEGREE, IN_RADIANS);
  return converted === latex ? null : converted;
}

const IN_RADIANS = ' \\frac{\\pi}{180} ';

function plainDigit(raised: string): string {
  if (raised === '⁻') return '-';
  return raised === '⁺' ? '' : String(SUPERSCRIPTS.indexOf(raised));
}

/** The fraction that equals a decimal with a group of digits that repeats, such as 0.1(6). */
function repeating(whole: string, fixed: string, group: string): string {
  const before = BigInt(`${whole}${fixed}` || '0');
  const all = BigInt(`${whole}${fixed}${group}`);
  return `{\\frac{${all - before}}{${'9'.repeat(group.length)}${'0'.repeat(fixed.length)}}}`;
}
