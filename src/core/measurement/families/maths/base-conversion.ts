/** @file Writes a number with a fractional part in another base. */
import type { Definition } from '../definition';
import { between, pickOf, repeat } from '../draw';

export interface Conversion {
  /** The digits with a point, in upper case. */
  readonly digits: string;
  readonly from: number;
  readonly to: number;
}

/** Every prime factor of the first base divides the second one, so that the fraction stays finite. */
const BASES = [
  [3, 6],
  [3, 12],
  [3, 15],
  [4, 6],
  [4, 10],
  [4, 12],
  [4, 14],
  [5, 10],
  [5, 15],
  [6, 12],
  [7, 14],
  [8, 6],
  [9, 12],
  [9, 15],
] as const;

export const baseConversion: Definition<Conversion> = {
  id: 'base-conversion',
  label: 'Conversion to another base',
  domain: 'maths',
  sizes: [4, 6, 9, 13, 20, 32, 49, 76],
  form: 'text',
  draw: (random, length) => {
    const [from, to] = pickOf(BASES, random);
    const places = between(random, 1, Math.floor(length / 2));
    const digits = repeat(length, (index) => {
      const isEnd = index === 0 || index === length - 1;
      return between(random, isEnd ? 1 : 0, from - 1).toString(from);
    });
    return { digits: `${digits.slice(0, -places).join('')}.${digits.slice(-places).join('')}`, from, to };
  },
  ask: ({ digits, from, to }) =>
    `Write the number ${digits}, which is given in base ${from}, in base ${to}.${to > 10 ? ' Use the letters A, B, C and so on as the digits for ten, eleven, twelve and so on.' : ''} The fractional part is finite. Give it completely.`,
  answer: 'the number in the new base, without leading and trailing zeros',
  solve: convert,
  // One multiplication and addition for each digit that is read, and one division for each digit that is written.
  steps: (puzzle) => puzzle.digits.length + convert(puzzle).length - 2,
};

function convert({ digits, from, to }: Conversion): string {
  const [whole = '', fraction = ''] = digits.split('.');
  const base = BigInt(to);
  const denominator = BigInt(from) ** BigInt(fraction.length);
  let rest = valueOf(fraction, from);
  let places = '';
  while (rest > 0n) {
    rest *= base;
    places += (rest / denominator).toString(to);
    rest %= denominator;
  }
  return `${valueOf(whole, from).toString(to)}.${places}`.toUpperCase();
}

function valueOf(digits: string, base: number): bigint {
  return [...digits].reduce((value, digit) => value * BigInt(base) + BigInt(parseInt(digit, base)), 0n);
}
