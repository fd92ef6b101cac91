/** @file Compares two formulas: exactly if both are rational numbers, else at seeded points. */
import { containsPlusMinus, evaluate, partsOf, symbolsOf, type Numbers } from './evaluate';
import { decimalsOf, exactValue, isRounded, isSameRational } from './exact';
import type { Formula } from './value';

/**
 * Seeds of the points at which formulas are compared. At points with an even seed, all symbols are positive.
 * At the other points, some may be negative.
 */
const POINTS = [0, 1, 2, 3, 4, 5, 6, 7];
/** Relative tolerance for rounding errors of floating-point numbers. */
const TOLERANCE = 1e-10;
/** Absolute tolerance for formulas for which `cancels` is true. */
const CANCELLATION = 1e-13;
/** Functions that keep the relative precision of their arguments. */
const PRECISE = new Set(['root', 'abs', 'factorial', 'binom', 'exp']);
/** Minimum number of significant digits of a rounded value. A decimal with fewer digits counts as exact, so 0.33 is not 1/3. */
const FEWEST_DIGITS = 5;

/** Whether two formulas have the same value. `false` if one contains ±, because such a formula has two values. */
export function isSameFormula(reference: Formula, answer: Formula): boolean {
  if (reference.kind === 'based' || answer.kind === 'based') return isSameBased(reference, answer);
  if (containsPlusMinus(reference) || containsPlusMinus(answer)) return false;
  const [one, other] = [exactValue(reference), exactValue(answer)];
  const [oneDecimals, otherDecimals] = [decimalsOf(reference), decimalsOf(answer)];
  if (one && other) {
    if (isSameRational(one, other)) return true;
    if (oneDecimals && !otherDecimals)
      return oneDecimals.significant >= FEWEST_DIGITS && isRounded(one, oneDecimals.places, other);
    if (otherDecimals && !oneDecimals)
      return otherDecimals.significant >= FEWEST_DIGITS && isRounded(other, otherDecimals.places, one);
    return false;
  }
  const rounding = Math.max(roundingOf(oneDecimals), roundingOf(otherDecimals));
  const floor = cancels(reference) || cancels(answer) ? CANCELLATION : 0;
  return isSameAtPoints(reference, answer, Math.max(rounding, floor)) || isIdentical(reference, answer);
}

/** Whether rounding errors may remain where the exact value is 0, as in sin(π). */
function cancels(formula: Formula): boolean {
  if (formula.kind === 'sum' || formula.kind === 'matrix') return true;
  if (formula.kind === 'call' && !PRECISE.has(formula.name)) return true;
  return partsOf(formula).some(cancels);
}

/**
 * Whether two formulas are written in the same way. If their values are undefined or too large for a double,
 * only this comparison can find them equal.
 */
function isIdentical(one: Formula, other: Formula): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The tolerance for a rounded decimal: half a unit in its last place. It is 0 if the formula is not a decimal, or has too few
 * digits to count as rounded.
 */
function roundingOf(decimals: ReturnType<typeof decimalsOf>): number {
  if (!decimals || decimals.significant < FEWEST_DIGITS) return 0;
  return 0.5 * 10 ** -decimals.places * (1 + 1e-9);
}

/**
 * Whether two numbers have the same digits and the same base. At least one of the numbers must state its
 * base. A number without a base matches every base, because the question may state the base.
 */
function isSameBased(one: Formula, other: Formula): boolean {
  const [a, b] = [basedOf(one), basedOf(other)];
  return a !== null && b !== null && a.digits === b.digits && (a.base === null || b.base === null || a.base === b.base);
}

function basedOf(formula: Formula): { readonly digits: string; readonly base: string | null } | null {
  if (formula.kind === 'based') return formula;
  return formula.kind === 'number' ? { digits: formula.literal, base: null } : null;
}

function isSameAtPoints(reference: Formula, answer: Formula, rounding: number): boolean {
  const isConstant = symbolsOf(reference).size === 0 && symbolsOf(answer).size === 0;
  const isComplex = usesImaginary(reference) || usesImaginary(answer);
  const isUnlimited = usesInfinity(reference) && usesInfinity(answer);
  let compared = 0;
  for (const point of POINTS) {
    const [one] = evaluate(reference, point);
    const [other] = evaluate(answer, point);
    if (!one || !other || one.length !== other.length || one[0]?.length !== other[0]?.length) return false;
    const verdict = compareNumbers(one, other, rounding, isComplex, isUnlimited);
    if (verdict === 'different') return false;
    if (verdict === 'same') compared++;
  }
  return compared >= (isConstant ? 1 : 3);
}

function compareNumbers(
  one: Numbers,
  other: Numbers,
  rounding: number,
  isComplex: boolean,
  isUnlimited: boolean,
): 'same' | 'different' | 'undefined' {
  let isUndefined = false;
  for (const [y, row] of one.entries()) {
    for (const [x, a] of row.entries()) {
      const b = other[y]?.[x];
      if (!b) return 'different';
      const values = [a.re, a.im, b.re, b.im];
      if (values.some(Number.isNaN) || (!isUnlimited && isOverflow(a) && isOverflow(b))) isUndefined = true;
      // If neither formula contains i, points with complex values are skipped. Rules such as √a√b = √(ab) do not hold there.
      else if (!isComplex && !(isReal(a) && isReal(b))) isUndefined = true;
      else if (
        !isClose(a.re, b.re, Math.hypot(a.re, a.im), rounding) ||
        !isClose(a.im, b.im, Math.hypot(a.re, a.im), rounding)
      )
        return 'different';
    }
  }
  return isUndefined ? 'undefined' : 'same';
}

function isReal({ re, im }: { readonly re: number; readonly im: number }): boolean {
  return Math.abs(im) <= 1e-9 * Math.max(1, Math.abs(re));
}

function isClose(a: number, b: number, size: number, rounding: number): boolean {
  if (a === b) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= Math.max(TOLERANCE * Math.max(size, Math.abs(b)), rounding);
}

function isOverflow({ re, im }: { readonly re: number; readonly im: number }): boolean {
  return !Number.isFinite(re) || !Number.isFinite(im);
}

function usesInfinity(formula: Formula): boolean {
  return (formula.kind === 'symbol' && formula.name === '\\infty') || partsOf(formula).some(usesInfinity);
}

function usesImaginary(formula: Formula): boolean {
  return (formula.kind === 'symbol' && formula.name === 'i') || partsOf(formula).some(usesImaginary);
}

/** Whether one formula is a constant multiple of the other. @param positive whether the factor must be positive */
export function isProportional(reference: Formula, answer: Formula, positive: boolean): boolean {
  let factor: number | null = null;
  let compared = 0;
  for (const point of POINTS) {
    const [a, b] = [realOf(evaluate(reference, point)), realOf(evaluate(answer, point))];
    if (a === null || b === null) continue;
    const scale = Math.max(Math.abs(a), Math.abs(b));
    if (scale < 1e-12) continue;
    if (Math.abs(b) < 1e-12 || Math.abs(a) < 1e-12) return false;
    const ratio: number = a / b;
    if (factor !== null && Math.abs(ratio - factor) > 1e-8 * Math.abs(factor)) return false;
    factor = ratio;
    compared++;
  }
  return factor !== null && compared >= 3 && (!positive || factor > 0);
}

function realOf(values: readonly Numbers[]): number | null {
  const value =
    values.length === 1 && values[0]?.length === 1 && values[0][0]?.length === 1 ? values[0][0][0] : undefined;
  return value && isReal(value) && Number.isFinite(value.re) ? value.re : null;
}
