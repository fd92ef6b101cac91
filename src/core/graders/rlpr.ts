/**
 * @file Grades the tasks of the dataset RLPR. Their short answers are compared as text, percentages and numbers
 * (arXiv 2512.04388, section 4.1).
 */
import type { Grader, GradingProfile } from '../contract';
import { firstTagged, lastTagged } from './answer-tags';
import { extractAnswer } from './mathematics/extract';
import { referenceGrader } from './reference-grader';

/** Relative tolerance (0.1 %) for references whose absolute value is above 1. */
const RELATIVE = 1e-3;
/** Absolute tolerance for percentages and for all other references. */
const ABSOLUTE = 1e-6;

/**
 * Whether an answer matches the reference. It matches if both are the same text without regard to case, the same percentage, or the
 * same number. Percentages may differ by 1e-6. Numbers may differ by 0.1 % if the reference is above 1 or below −1, else by 1e-6.
 *
 * `strict` compares numbers only if each text is just a number, with or without a unit. `paper-artefact` takes the first number
 * of each text, and reads any “k” in the text as thousand.
 */
export function matchesRlpr(reference: string, answer: string, profile: GradingProfile): boolean {
  const [expected, given] = [reference.trim(), answer.trim()];
  if (expected.toLowerCase() === given.toLowerCase()) return true;
  const [one, other] = [percentage(expected), percentage(given)];
  if (one !== null && other !== null) return Math.abs(one - other) <= ABSOLUTE;
  const read = profile === 'strict' ? wholeNumber : firstNumber;
  const [a, b] = [read(expected), read(given)];
  if (a === null || b === null) return false;
  return Math.abs(a - b) <= (Math.abs(a) > 1 ? RELATIVE * Math.abs(a) : ABSOLUTE);
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

/** Maximum length of a number with its unit, in UTF-16 units. Longer texts are sentences. */
const LONGEST_NUMBER = 100;
/** Maximum number of words after a number: its scale and its unit. */
const MOST_UNIT_WORDS = 3;

/**
 * The number of a text that is just a number. It may have a symbol and an equals sign before it, a currency sign, and a scale and a
 * unit after it.
 */
function wholeNumber(text: string): number | null {
  const bare = text
    .replace(/[$,€£\\]/g, '')
    .replace(/%\s*$/, '')
    .trim();
  if (bare.length > LONGEST_NUMBER) return null;
  const match = /^(?:[a-z]\s*=\s*)?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(.*)$/is.exec(bare);
  if (!match) return null;
  const words = (match[2] ?? '').split(/\s+/).filter((word) => word !== '');
  const isUnit = words.length <= MOST_UNIT_WORDS && words.every((word) => /^[a-zA-Z°µ²³/^.\d-]+$/.test(word));
  return isUnit ? Number(match[1]) * scaleOf(bare) : null;
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
