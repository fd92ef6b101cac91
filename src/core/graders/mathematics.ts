/**
 * @file Grades mathematics: finds the final answer in a response, reads LaTeX into a typed value, and compares values.
 * `docs/grading.md` documents the rules.
 */
import type { Grader, GradingProfile } from '../contract';
import { firstTagged } from './answer-tags';
import { searchAnswer } from './mathematics/artefact-search';
import { isSameTime } from './mathematics/clock-times';
import { extractAnswer } from './mathematics/extract';
import { hasSameNumber, isSameString } from './mathematics/artefact';
import { readAnswer } from './mathematics/read';
import { inRadians, standardNotation } from './mathematics/notation';
import { isSame } from './mathematics/same';
import { differInUnit, withPlainUnit } from './mathematics/units';
import { byArtefactRules, referenceGrader } from './reference-grader';

export { extractAnswer };

/**
 * Whether two answers, in LaTeX or plain text, have the same value. Rational numbers are compared exactly, except that a decimal
 * with at least five significant digits may be a rounded value. Other formulas are evaluated several times, with different
 * values for their symbols. These values come from fixed seeds, so the result is the same on every machine.
 */
export function sameAnswer(reference: string, answer: string): boolean {
  const isSameWord = compareWords(reference, answer);
  if (isSameWord !== null) return isSameWord;
  const isSameClock = isSameTime(reference, answer);
  if (isSameClock !== null) return isSameClock;
  if (differInUnit(withPlainUnit(reference), withPlainUnit(answer))) return false;
  return isSameSpelling(spellingsOf(reference), spellingsOf(answer));
}

/**
 * The comparison of version 1, for the profile `paper-artefact`. It knows fewer notations, ignores the powers of units, and reads
 * `\log` as the natural logarithm.
 */
function sameByFirstRules(reference: string, answer: string): boolean {
  const isSameWord = compareWords(reference, answer);
  if (isSameWord !== null) return isSameWord;
  const natural = (text: string) => decimalSpellings(text.replace(/\\log(?![a-zA-Z]|\s*_)/g, '\\ln'));
  return isSameSpelling(natural(reference), natural(answer));
}

/** Compares equal texts, and texts that are a single word. `null`: the values have to be compared. */
function compareWords(reference: string, answer: string): boolean | null {
  const [one, other] = [plainText(reference), plainText(answer)];
  if (one !== '' && one === other) return true;
  return isWords(one) && isWords(other) ? one.toLowerCase() === other.toLowerCase() : null;
}

function isSameSpelling(references: readonly string[], answers: readonly string[]): boolean {
  return references.some((expected) => answers.some((given) => isSameReading(expected, given)));
}

function isSameReading(reference: string, answer: string): boolean {
  const expected = readAnswer(reference);
  const given = readAnswer(answer);
  return expected !== null && given !== null && isSame(expected, given);
}

/** The text without styling, spaces and final punctuation. Brackets around a single letter, as in “(C)”, are removed. */
function plainText(latex: string): string {
  return latex
    .replace(/\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|textnormal|boxed)\s*\{([^{}]*)\}/g, '$1')
    .replace(/\\(?:left|right|[,;:! ])|[$\s]/g, '')
    .replace(/(?<![.,;:])[.,;:]+$/, '')
    .replace(/^\(([A-Za-z])\)$/, '$1');
}

function isWords(text: string): boolean {
  return /^[\p{L}'-]{2,}$/u.test(text);
}

/** The text in standard notation. An angle in degrees may also be compared in radians. */
function spellingsOf(text: string): readonly string[] {
  const radians = inRadians(text);
  return [...new Set([text, withPlainUnit(text)]), ...(radians === null ? [] : [radians])].flatMap((each) =>
    decimalSpellings(standardNotation(each)),
  );
}

/** The text, and before it the text with a decimal point if its comma may be one. “2,74” may also be a list of two numbers. */
function decimalSpellings(text: string): readonly string[] {
  const isDecimal = /^\s*-?(?:\d+,\d{2}|\d+,\d{4,}|0,\d+)\s*$/.test(text);
  return isDecimal ? [text.replace(',', '.'), text] : [text];
}

/**
 * `strict` compares the values of answers. `paper-artefact` compares normalized texts from the first `<answer>` tags, but has
 * other rules for AIME, see `hasSameNumber`.
 */
export function createMathematicsGrader(profile: GradingProfile): Grader {
  if (profile === 'strict') return referenceGrader({ extract: extractAnswer, isSame: sameAnswer });
  const rules = referenceGrader({ extract: firstTagged, isSame: isSameString });
  const aime = referenceGrader({
    // The published code finds answers with the library lighteval. Podium doesn't reproduce this library and
    // uses its own search.
    extract: searchAnswer,
    isSame: (reference, answer) => sameByFirstRules(reference, answer) || hasSameNumber(reference, answer),
  });
  return byArtefactRules(rules, { aime });
}
