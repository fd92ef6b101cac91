/** @file Normalizes decimal numbers without rounding. The input has the syntax of Python's `Decimal`. */

const NUMBER = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,9}))?$/i;

/**
 * Returns the same text for equal numbers: “1e0” for “1”, “1.0” and “10e-1”. Returns `null` if the text is not a
 * finite number, or if its exponent has more than nine digits.
 */
export function canonicalDecimal(text: string): string | null {
  const match = NUMBER.exec(text.replaceAll('_', ''));
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = withoutZerosBefore(whole + fraction);
  const significant = withoutZerosAfter(digits);
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

function withoutZerosBefore(digits: string): string {
  let start = 0;
  while (digits[start] === '0') start += 1;
  return digits.slice(start);
}

// Uses a loop instead of the expression `/0+$/`, which takes quadratic time if another digit follows the zeros.
function withoutZerosAfter(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
