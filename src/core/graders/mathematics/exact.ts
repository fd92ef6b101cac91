/**
 * @file Exact rational arithmetic. Unlike floating-point numbers, it distinguishes large numbers that differ in the last digit.
 */
import type { Formula } from './value';

/** A fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly over: bigint;
  readonly under: bigint;
}

/** Maximum bits of a numerator or a denominator. Larger results are compared as floating-point numbers instead. */
const MOST_BITS = 20_000;
const LARGEST_FACTORIAL = 1_000;

/** Cached results. The items of a list are compared with many others, and large factorials are slow to compute. */
const known = new WeakMap<Formula, Rational | null>();

/**
 * The exact value of a formula. `null`: the formula contains more than numbers, basic arithmetic, whole powers and factorials, or
 * its value is undefined or too large.
 */
export function exactValue(formula: Formula): Rational | null {
  const earlier = known.get(formula);
  if (earlier !== undefined) return earlier;
  const value = computed(formula);
  known.set(formula, value);
  return value;
}

function computed(formula: Formula): Rational | null {
  switch (formula.kind) {
    case 'number':
      return ofLiteral(formula.literal);
    case 'negative':
      return map(exactValue(formula.of), ({ over, under }) => rational(-over, under));
    case 'sum':
      return fold(formula.terms, (a, b) => rational(a.over * b.under + b.over * a.under, a.under * b.under));
    case 'product':
      return fold(formula.factors, (a, b) => rational(a.over * b.over, a.under * b.under));
    case 'quotient':
      return fold([formula.over, formula.under], (a, b) => rational(a.over * b.under, a.under * b.over));
    case 'power':
      return power(exactValue(formula.base), exactValue(formula.exponent));
    case 'call':
      return formula.name === 'factorial' ? factorial(formula.parts[0]) : null;
    case 'based':
    case 'symbol':
    case 'plus-minus':
    case 'matrix':
      return null;
    default:
      return formula satisfies never;
  }
}

export function isSameRational(one: Rational, other: Rational): boolean {
  return one.over === other.over && one.under === other.under;
}

/**
 * The number of significant digits and the number of decimal places of a decimal. `null`: the formula is not a decimal.
 */
export function decimalsOf(formula: Formula): { readonly places: number; readonly significant: number } | null {
  if (formula.kind === 'negative') return decimalsOf(formula.of);
  if (formula.kind !== 'number' || !formula.literal.includes('.')) return null;
  const [whole = '', fraction = ''] = formula.literal.split('.');
  return { places: fraction.length, significant: `${whole}${fraction}`.replace(/^0+/, '').length };
}

/** Whether `value`, rounded to `places` decimal places, equals `decimal`. */
export function isRounded(decimal: Rational, places: number, value: Rational): boolean {
  const scale = 10n ** BigInt(places);
  const shown = decimal.over * scale;
  // Computes |decimal - value| * scale <= 1/2 with whole numbers.
  const difference = shown * value.under - value.over * scale * decimal.under;
  const size = difference < 0n ? -difference : difference;
  return 2n * size <= decimal.under * value.under;
}

function ofLiteral(literal: string): Rational | null {
  if (literal.length > 2_000) return null;
  const [whole = '', fraction = ''] = literal.split('.');
  return rational(BigInt(`${whole}${fraction}` || '0'), 10n ** BigInt(fraction.length));
}

function rational(over: bigint, under: bigint): Rational | null {
  if (under === 0n) return null;
  if (bits(over) > MOST_BITS || bits(under) > MOST_BITS) return null;
  const divisor = greatestDivisor(over < 0n ? -over : over, under < 0n ? -under : under);
  const sign = under < 0n ? -1n : 1n;
  return { over: (sign * over) / divisor, under: (sign * under) / divisor };
}

function bits(value: bigint): number {
  return value.toString(16).length * 4;
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

function power(base: Rational | null, exponent: Rational | null): Rational | null {
  if (!base || exponent?.under !== 1n) return null;
  const size = exponent.over < 0n ? -exponent.over : exponent.over;
  if (size > 10_000n || BigInt(Math.max(bits(base.over), bits(base.under))) * size > BigInt(MOST_BITS)) return null;
  const over = base.over ** size;
  const under = base.under ** size;
  return exponent.over < 0n ? rational(under, over) : rational(over, under);
}

function factorial(of: Formula | undefined): Rational | null {
  const value = of && exactValue(of);
  if (value?.under !== 1n || value.over < 0n || value.over > LARGEST_FACTORIAL) return null;
  let product = 1n;
  for (let factor = 2n; factor <= value.over; factor++) product *= factor;
  return rational(product, 1n);
}

function map(value: Rational | null, change: (value: Rational) => Rational | null): Rational | null {
  return value && change(value);
}

function fold(parts: readonly Formula[], join: (a: Rational, b: Rational) => Rational | null): Rational | null {
  const [first, ...others] = parts.map(exactValue);
  return others.reduce<Rational | null>((sum, each) => (sum && each ? join(sum, each) : null), first ?? null);
}
