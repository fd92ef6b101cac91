/**
 * @file Grades the tasks of the dataset RLPR. Their short answers are compared as text, percentages and numbers
 * (arXiv 2512.04388, section 4.1).
 */
import type { Grader, GradingProfile } from '../contract';
import { firstTagged, lastTagged } from './answer-tags';
import { extractAnswer } from './mathematics/extract';
import { withAsciiMinus } from './mathematics/plain-text';
import { referenceGrader } from './reference-grader';

/** Relative tolerance (0.1 %) for references whose absolute value is above 1. */
const RELATIVE = 1e-3;
/** Absolute tolerance for percentages and for all other references. */
const ABSOLUTE = 1e-6;

/**
 * Whether an answer and the reference are the same text (ignoring case), the same percentage, or the same number. Percentages,
 * read as fractions of 1, may differ by 1e-6. Numbers may differ by 0.1 % if the reference is above 1 or below −1, else by
 * 1e-6.
 *
 * `strict` compares numbers only if each text is just a number, with or without a unit. If exactly one text is a percentage,
 * such as “50%”, this text matches both 50 and 0.5. `paper-artefact` takes the first number of each text, and reads any “k” in
 * the text as thousand.
 */
export function matchesRlpr(reference: string, answer: string, profile: GradingProfile): boolean {
  const isStrict = profile === 'strict';
  const [expected, given] = [reference, answer].map((text) => (isStrict ? withAsciiMinus(text) : text).trim());
  if (expected === undefined || given === undefined) return false;
  if (expected.toLowerCase() === given.toLowerCase()) return true;
  const [one, other] = [percentage(expected), percentage(given)];
  if (one !== null && other !== null) return Math.abs(one - other) <= ABSOLUTE;
  const read = isStrict ? wholeNumber : firstNumber;
  const [a, b] = [read(expected), read(given)];
  if (a === null || b === null) return false;
  if (isStrict && (one ?? other) !== null && isClose(one ?? a, other ?? b)) return true;
  return isClose(a, b);
}

function isClose(reference: number, answer: number): boolean {
  return Math.abs(reference - answer) <= (Math.abs(reference) > 1 ? RELATIVE * Math.abs(reference) : ABSOLUTE);
}

export function createRlprGrader(profile: GradingProfile): Grader {
  const extract = (response: string) =>
    profile === 'paper-artefact' ? firstTagged(response) : (lastTagged(response) ?? extractAnswer(response));
  return referenceGrader({ extract, isSame: (reference, answer) => matchesRlpr(reference, answer, profile) });
}

function percentage(text: string): number | null {
  const match = /^\$?\s*(-?\d+(?:\.\d+)?)\s*\\?%\s*\$?$/.exec(text.replaceAll(',', ''));
  return match ? Number(match[1]) / 100 : null;
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/\bbillions?\b/i, 1e9],
  [/\bmillions?\b/i, 1e6],
  [/\bthousands?\b|(?<=\d)\s?k\b/i, 1e3],
];

/** Maximum length of a number with its unit, in UTF-16 units. Longer texts count as sentences. */
const LONGEST_NUMBER = 100;
/** Maximum number of words after a number, such as “million” and “km” in “5 million km”. */
const MOST_UNIT_WORDS = 3;

/** A number: a decimal, possibly with a power of ten, or a fraction of two decimals. */
const NUMBER =
  /^(?:[a-z]\s*=\s*)?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s*(?:[x×*·]|times)\s*10\s*\^\s*(?:\{\s*)?([+-]?\d+)(?:\s*\})?|\s*\/\s*(\d+(?:\.\d+)?))?(?![\d^/.-])(.*)$/is;

/** Units that may follow a number without a space. Other letters could be a symbol or part of a word, as in “2x” and “19th”. */
const ATTACHED =
  /^(?:°\s?[CF]?|%|[kKMG]\b|[kMG]?(?:Hz|W|Wh|J|N|Pa|eV|V|bp?s?)\b|(?:[kcmnµu]?[mgsl]|mol|min|h|hrs?|lbs?|oz|ft|in|mph|cal|kcal|USD|EUR|GBP)\b)/;

/** A part of a unit, such as “kg”, “m2” and “s^-1” in “kg·m2/s^-1”. */
const UNIT_PART = /^[a-zA-Z°µΩ%]+(?:[²³]|\^?-?\d{1,2})?$/;

function isUnitWord(word: string): boolean {
  return word.split(/[/·*.]|-(?=[a-zA-Z])/).every((part, index) => UNIT_PART.test(part) || (index > 0 && part === ''));
}

/** Reads a text that is a single number, such as “5 million km”, “$5” or “x = 5”. `null`: any other text. */
function wholeNumber(text: string): number | null {
  const bare = text
    .replace(/[$,€£\\]/g, '')
    .replace(/%\s*$/, '')
    .trim();
  if (bare.length > LONGEST_NUMBER) return null;
  const match = NUMBER.exec(bare);
  if (!match) return null;
  const [, digits, exponent = '0', under = '1', rest = ''] = match;
  const words = rest.split(/\s+/).filter((word) => word !== '');
  if (words.length > MOST_UNIT_WORDS || !words.every(isUnitWord)) return null;
  if (rest !== '' && !/^\s/.test(rest) && !ATTACHED.test(rest)) return null;
  return (Number(digits) * 10 ** Number(exponent) * scaleOf(bare)) / Number(under);
}

function scaleOf(text: string): number {
  return SCALES.find(([words]) => words.test(text))?.[1] ?? 1;
}

function firstNumber(text: string): number | null {
  const match = /-?\d+(?:\.\d+)?/.exec(text.replace(/[,$%]/g, ''));
  if (!match) return null;
  const lower = text.toLowerCase();
  const scale = lower.includes('million') ? 1e6 : lower.includes('thousand') || lower.includes('k') ? 1e3 : 1;
  return Number(match[0]) * scale;
}
