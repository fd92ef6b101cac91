/** @file Follows a number through a chain of operations, modulo another number. */
import type { Definition } from '../definition';
import { between, pickOf, repeat } from '../draw';

export interface Chain {
  readonly start: number;
  readonly modulus: number;
  readonly operations: readonly Operation[];
}

type Operation = { readonly kind: 'add' | 'multiply'; readonly value: number } | { readonly kind: 'square' };

/** Prime, so that no product of two remainders is 0. */
const MODULI = [101, 131, 173, 211, 257, 313, 379, 433, 499, 571, 641, 709, 787, 863, 937, 997];

export const modularChain: Definition<Chain> = {
  id: 'modular-chain',
  label: 'Chain of remainders',
  domain: 'maths',
  sizes: [3, 5, 8, 13, 20, 32, 50, 80],
  form: 'number',
  draw: (random, count) => {
    const modulus = pickOf(MODULI, random);
    return {
      start: between(random, 2, modulus - 1),
      modulus,
      operations: repeat(count, (): Operation => {
        const kind = pickOf(['add', 'multiply', 'square'] as const, random);
        return kind === 'square' ? { kind } : { kind, value: between(random, 2, modulus - 1) };
      }),
    };
  },
  ask: ({ start, modulus, operations }) =>
    `Start with the number ${start}. Carry out the operations below in order. After each operation, replace the number with its remainder on division by ${modulus}. Which number is left at the end?\n\n${operations.map((each, index) => `${index + 1}. ${each.kind}${each.kind === 'square' ? '' : ` ${each.value}`}`).join('\n')}`,
  answer: 'the number that is left',
  solve: ({ start, modulus, operations }) =>
    String(operations.reduce((number, operation) => apply(operation, number) % modulus, start)),
  // A calculation and a remainder for each operation.
  steps: ({ operations }) => 2 * operations.length,
};

function apply(operation: Operation, number: number): number {
  switch (operation.kind) {
    case 'add':
      return number + operation.value;
    case 'multiply':
      return number * operation.value;
    case 'square':
      return number * number;
    default:
      return operation satisfies never;
  }
}
