/** @file Multiplies polynomials. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, repeat } from '../draw';

/** The coefficients of a polynomial, highest power first. */
type Polynomial = readonly number[];

export interface Product {
  readonly factors: readonly Polynomial[];
}

export const polynomialProduct: Definition<Product, readonly number[]> = {
  id: 'polynomial-product',
  label: 'Product of polynomials',
  domain: 'maths',
  // The degrees of the factors.
  sizes: [
    [2, 1],
    [1, 1, 1],
    [3, 3],
    [2, 2, 2],
    [2, 2, 2, 1],
    [3, 3, 2, 2],
    [3, 3, 3, 3, 1],
    [4, 3, 3, 3, 3],
  ],
  form: 'list',
  draw: (random, degrees) => ({ factors: degrees.map((degree) => drawPolynomial(random, degree)) }),
  ask: ({ factors }) =>
    `Expand this product, and collect the powers of x.\n\n${factors.map((each) => `(${written(each)})`).join(' · ')}`,
  answer:
    'the list of all coefficients from the highest power of x to the constant term, separated by commas, with 0 for a power that is missing',
  solve: ({ factors }) => factors.reduce(multiply).join(', '),
  // One product for each pair of coefficients.
  steps: ({ factors }) =>
    factors
      .slice(1)
      .reduce(({ sum, terms }, { length }) => ({ sum: sum + terms * length, terms: terms + length - 1 }), {
        sum: 0,
        terms: factors[0]?.length ?? 0,
      }).sum,
};

function drawPolynomial(random: Random, degree: number): Polynomial {
  return [
    between(random, 1, 4),
    ...repeat(degree, () =>
      drawUntil(
        () => between(random, -7, 7),
        (each) => each !== 0,
      ),
    ),
  ];
}

function multiply(one: Polynomial, other: Polynomial): Polynomial {
  return repeat(one.length + other.length - 1, (power) =>
    one.reduce((sum, coefficient, index) => sum + coefficient * (other[power - index] ?? 0), 0),
  );
}

function written(polynomial: Polynomial): string {
  return polynomial
    .map((coefficient, index) => {
      const power = polynomial.length - 1 - index;
      const size = Math.abs(coefficient) === 1 && power > 0 ? '' : String(Math.abs(coefficient));
      const sign = coefficient < 0 ? ' - ' : ' + ';
      return `${index === 0 ? '' : sign}${size}${power === 0 ? '' : power === 1 ? 'x' : `x^${power}`}`;
    })
    .join('');
}
