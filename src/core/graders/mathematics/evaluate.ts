/** @file Evaluates a formula at a point. A point is a seed from which symbols and unknown functions get their values. */
import { mixSeed, seededRandom } from '../../contract';
import {
  add,
  complex,
  cosine,
  divide,
  exponential,
  logarithm,
  multiply,
  negate,
  raise,
  root,
  sine,
  size,
  type Complex,
} from './complex';
import { exactValue } from './exact';
import type { Formula } from './value';

/** Rows of numbers. A plain number is a matrix with one entry. */
export type Numbers = readonly (readonly Complex[])[];

/** The values at a point: two if the formula contains ±, otherwise one. Entries are NaN where the value is undefined. */
export function evaluate(formula: Formula, point: number): readonly Numbers[] {
  return signsOf(formula).map((signs) => new Evaluation(point, signs).matrix(formula));
}

/**
 * The signs with which a formula is evaluated. For example, `a ± b ∓ c` has two values: one with all upper
 * signs, and one with all lower signs.
 */
function signsOf(formula: Formula): readonly (1 | -1)[] {
  return containsPlusMinus(formula) ? [1, -1] : [1];
}

export function containsPlusMinus(formula: Formula): boolean {
  return formula.kind === 'plus-minus' || partsOf(formula).some(containsPlusMinus);
}

/** The names of all symbols, without constants. */
export function symbolsOf(formula: Formula): ReadonlySet<string> {
  if (formula.kind === 'symbol') return new Set(CONSTANTS[formula.name] ? [] : [formula.name]);
  return new Set(partsOf(formula).flatMap((part) => [...symbolsOf(part)]));
}

export function partsOf(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'number':
    case 'based':
    case 'symbol':
      return [];
    case 'sum':
      return formula.terms;
    case 'product':
      return formula.factors;
    case 'quotient':
      return [formula.over, formula.under];
    case 'power':
      return [formula.base, formula.exponent];
    case 'negative':
      return [formula.of];
    case 'plus-minus':
      return formula.left ? [formula.left, formula.right] : [formula.right];
    case 'call':
      return formula.parts;
    case 'matrix':
      return formula.rows.flat();
    default:
      return formula satisfies never;
  }
}

const CONSTANTS: Readonly<Record<string, Complex>> = {
  '\\pi': complex(Math.PI),
  e: complex(Math.E),
  i: complex(0, 1),
  '\\infty': complex(Infinity),
};

const UNDEFINED = complex(NaN);
const scalar = (value: Complex): Numbers => [[value]];

class Evaluation {
  readonly #point: number;
  readonly #sign: 1 | -1;

  constructor(point: number, sign: 1 | -1) {
    this.#point = point;
    this.#sign = sign;
  }

  matrix(formula: Formula): Numbers {
    switch (formula.kind) {
      case 'number':
        return scalar(complex(Number(formula.literal)));
      case 'based':
        return scalar(complex(this.#random('base', formula.digits, formula.base)));
      case 'symbol':
        return scalar(CONSTANTS[formula.name] ?? complex(this.#random('symbol', formula.name)));
      case 'sum':
        return formula.terms.map((term) => this.matrix(term)).reduce(addAll);
      case 'product':
        return formula.factors.map((factor) => this.matrix(factor)).reduce(multiplyAll);
      case 'quotient':
        return multiplyAll(scalar(divide(complex(1), this.number(formula.under))), this.matrix(formula.over));
      case 'power':
        return this.#power(formula.base, formula.exponent);
      case 'negative':
        return this.matrix(formula.of).map((row) => row.map(negate));
      case 'plus-minus': {
        const right = multiplyAll(scalar(complex(this.#sign * formula.sign)), this.matrix(formula.right));
        return formula.left ? addAll(this.matrix(formula.left), right) : right;
      }
      case 'call':
        return scalar(this.#call(formula.name, formula.parts));
      case 'matrix':
        return formula.rows.map((row) => row.map((entry) => this.number(entry)));
      default:
        return formula satisfies never;
    }
  }

  number(formula: Formula): Complex {
    const value = this.matrix(formula);
    return value.length === 1 && value[0]?.length === 1 ? (value[0][0] ?? UNDEFINED) : UNDEFINED;
  }

  #power(base: Formula, exponent: Formula): Numbers {
    const matrix = this.matrix(base);
    const by = this.number(exponent);
    if (matrix.length === 1)
      return scalar(raiseByFraction(this.number(base), exponent) ?? raise(this.number(base), by));
    if (by.im !== 0 || !Number.isInteger(by.re) || by.re < 1 || by.re > 64) return scalar(UNDEFINED);
    return Array.from({ length: by.re }, () => matrix).reduce(multiplyAll);
  }

  #call(name: string, parts: readonly Formula[]): Complex {
    const values = parts.map((part) => this.number(part));
    const [a = UNDEFINED, b] = values;
    switch (name) {
      case 'root':
        return root(a, b ?? complex(2));
      case 'abs':
        return complex(size(a));
      case 'sin':
        return sine(a);
      case 'cos':
        return cosine(a);
      case 'tan':
        return divide(sine(a), cosine(a));
      case 'cot':
        return divide(cosine(a), sine(a));
      case 'sec':
        return divide(complex(1), cosine(a));
      case 'csc':
        return divide(complex(1), sine(a));
      case 'exp':
        return exponential(a);
      case 'ln':
        return logarithm(a);
      case 'lg':
        return divide(logarithm(a), complex(Math.LN10));
      case 'log':
        // Without a base, the base is 10. The natural logarithm is written `\ln`.
        return divide(logarithm(a), logarithm(b ?? complex(10)));
      case 'binom':
        return a.im === 0 && b?.im === 0 ? complex(choose(a.re, b.re)) : UNDEFINED;
      case 'factorial':
        return a.im === 0 ? complex(factorial(a.re)) : UNDEFINED;
      default:
        return a.im === 0 && REAL[name] ? complex(REAL[name](a.re)) : this.#unknown(name, values);
    }
  }

  /** The value of an unknown function: a seeded number for each combination of name and arguments. */
  #unknown(name: string, values: readonly Complex[]): Complex {
    if (values.some(({ re, im }) => Number.isNaN(re) || Number.isNaN(im))) return UNDEFINED;
    // The arguments are rounded to nine digits, because equal arguments can have different rounding errors.
    const key = values.map(({ re, im }) => `${re.toPrecision(9)},${im.toPrecision(9)}`);
    return complex(this.#random('function', name, ...key));
  }

  /**
   * A seeded number whose absolute value is between 0.3 and 2.3. At every second point, some numbers are negative, so that |x|
   * differs from x.
   */
  #random(...key: readonly string[]): number {
    const random = seededRandom(mixSeed(this.#point, ...key));
    const value = 0.3 + 2 * random();
    return this.#point % 2 === 1 && random() < 0.7 ? -value : value;
  }
}

/**
 * The real value of a power such as x^{2/3} with a negative base. It exists if the denominator of the exponent is odd. `null`:
 * the base is not a negative number, or the exponent is not such a fraction.
 */
function raiseByFraction(base: Complex, exponent: Formula): Complex | null {
  if (base.im !== 0 || base.re >= 0 || exponent.kind !== 'quotient') return null;
  const [over, under] = [exactValue(exponent.over), exactValue(exponent.under)];
  if (over?.under !== 1n || under?.under !== 1n || under.over % 2n === 0n) return null;
  return raise(root(base, complex(Number(under.over))), complex(Number(over.over)));
}

const REAL: Readonly<Record<string, (value: number) => number>> = {
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
};

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) return NaN;
  let product = 1;
  for (let factor = 2; factor <= value; factor++) product *= factor;
  return product;
}

function choose(n: number, k: number): number {
  if (!Number.isInteger(n) || !Number.isInteger(k) || k < 0 || n < k || n > 1000) return NaN;
  let product = 1;
  for (let index = 1; index <= k; index++) product = (product * (n - k + index)) / index;
  return Math.round(product);
}

function addAll(a: Numbers, b: Numbers): Numbers {
  if (a.length !== b.length || a[0]?.length !== b[0]?.length) return scalar(UNDEFINED);
  return a.map((row, y) => row.map((value, x) => add(value, b[y]?.[x] ?? UNDEFINED)));
}

function multiplyAll(a: Numbers, b: Numbers): Numbers {
  const one = a.length === 1 && a[0]?.length === 1 ? a[0][0] : undefined;
  if (one) return b.map((row) => row.map((value) => multiply(one, value)));
  const other = b.length === 1 && b[0]?.length === 1 ? b[0][0] : undefined;
  if (other) return a.map((row) => row.map((value) => multiply(value, other)));
  if (a[0]?.length !== b.length) return scalar(UNDEFINED);
  return a.map((row) =>
    (b[0] ?? []).map((_, x) => row.map((value, k) => multiply(value, b[k]?.[x] ?? UNDEFINED)).reduce(add, complex(0))),
  );
}
