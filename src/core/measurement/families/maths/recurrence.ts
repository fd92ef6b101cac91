/** @file Computes a term of a sequence in which each term depends on the two before it. */
import type { Definition } from '../definition';
import { between } from '../draw';

export interface Recurrence {
  readonly first: number;
  readonly second: number;
  /** Each term is `p` times the term before it, plus `q` times the one before that, plus `r`, modulo `modulus`. */
  readonly p: number;
  readonly q: number;
  readonly r: number;
  readonly modulus: number;
  /** The number of the term that is asked for, from 1. */
  readonly term: number;
}

export const recurrence: Definition<Recurrence> = {
  id: 'recurrence',
  label: 'Term of a sequence',
  domain: 'maths',
  // The number of terms to compute.
  sizes: [2, 3, 5, 8, 13, 21, 34, 54],
  form: 'number',
  draw: (random, count) => {
    const modulus = between(random, 400, 999);
    return {
      first: between(random, 1, 99),
      second: between(random, 1, 99),
      p: between(random, 3, 29),
      q: between(random, 3, 29),
      r: between(random, 1, 99),
      modulus,
      term: count + 2,
    };
  },
  ask: ({ first, second, p, q, r, modulus, term }) =>
    `A sequence begins with a(1) = ${first} and a(2) = ${second}. For n > 2, a(n) is the remainder of ${p} · a(n-1) + ${q} · a(n-2) + ${r} on division by ${modulus}. What is a(${term})?`,
  answer: 'the number asked for',
  solve: ({ first, second, p, q, r, modulus, term }) => {
    let [before, current] = [first, second];
    for (let n = 3; n <= term; n++) [before, current] = [current, (p * current + q * before + r) % modulus];
    return String(current);
  },
  // Two products and a remainder for each term.
  steps: ({ term }) => 3 * (term - 2),
};
