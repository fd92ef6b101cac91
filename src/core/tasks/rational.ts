/** @file Exact fractions, so that checking an answer causes no rounding errors. */

/** A fraction in lowest terms. `bottom` is positive. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** @returns `null` when the denominator is zero */
export function rational(top: bigint | number, bottom: bigint | number = 1n): Rational | null {
  const [upper, lower] = [BigInt(top), BigInt(bottom)];
  if (lower === 0n) return null;
  const divisor = greatestCommonDivisor(upper < 0n ? -upper : upper, lower < 0n ? -lower : lower);
  const sign = lower < 0n ? -1n : 1n;
  return { top: (sign * upper) / divisor, bottom: (sign * lower) / divisor };
}

export function whole(value: bigint | number): Rational {
  return { top: BigInt(value), bottom: 1n };
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger === 0n ? 1n : larger;
}

export type Operator = '+' | '-' | '*' | '/';

/** @returns `null` for a division by zero */
export function calculate(operator: Operator, left: Rational, right: Rational): Rational | null {
  switch (operator) {
    case '+':
      return rational(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom);
    case '-':
      return rational(left.top * right.bottom - right.top * left.bottom, left.bottom * right.bottom);
    case '*':
      return rational(left.top * right.top, left.bottom * right.bottom);
    case '/':
      return rational(left.top * right.bottom, left.bottom * right.top);
    default:
      return operator satisfies never;
  }
}

/** The sign of `one` minus `other`: −1, 0 or 1. */
export function compare(one: Rational, other: Rational): number {
  const difference = one.top * other.bottom - other.top * one.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The value as a floating-point number, which may be rounded. */
export function toNumber(value: Rational): number {
  return Number(value.top) / Number(value.bottom);
}

/** Writes a number, for example `46` or `−7/2`. */
export function rationalText(value: Rational): string {
  const sign = value.top < 0n ? '−' : '';
  const top = value.top < 0n ? -value.top : value.top;
  return value.bottom === 1n ? `${sign}${top}` : `${sign}${top}/${value.bottom}`;
}

/** Matches fractions, mixed numbers, decimals, integers and percentages in a text from `tidyQuestion` or `tidyAnswer`. */
export const NUMBER_PATTERN =
  /(?<![\d.\w])-?(?:\d{1,12} )?\d{1,12}\/\d{1,12}(?![\d/])|(?<![\d.\w])-?\d{1,15}(?:\.\d{1,12})?%?/g;

/** Reads a match of `NUMBER_PATTERN`. `null` for any other text, or if the denominator is zero. */
export function readRational(text: string): Rational | null {
  const fraction = /^(-?)(?:(\d{1,12}) )?(\d{1,12})\/(\d{1,12})$/.exec(text.trim());
  if (fraction) {
    const [, sign, units = '0', top = '', bottom = ''] = fraction;
    const lower = BigInt(bottom);
    const upper = BigInt(units) * lower + BigInt(top);
    return rational(sign === '-' ? -upper : upper, lower);
  }
  const decimal = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?(%?)$/.exec(text.trim());
  if (!decimal) return null;
  const [, sign, units = '', places = '', percent] = decimal;
  const upper = BigInt(`${units}${places}`);
  return rational(sign === '-' ? -upper : upper, 10n ** BigInt(places.length) * (percent ? 100n : 1n));
}
