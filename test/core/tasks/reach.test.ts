import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestDistance } from '../../../src/core/tasks/countdown/reach';

/** Every positive integer that an expression with some of the numbers can reach. */
function reachable(numbers: readonly number[], found = new Set<number>()): Set<number> {
  for (const number of numbers) found.add(number);
  for (let one = 0; one < numbers.length; one++) {
    for (let other = one + 1; other < numbers.length; other++) {
      const [larger, smaller] = [
        Math.max(numbers[one] ?? 0, numbers[other] ?? 0),
        Math.min(numbers[one] ?? 0, numbers[other] ?? 0),
      ];
      const rest = numbers.filter((_, index) => index !== one && index !== other);
      const results = [larger + smaller, larger * smaller, larger - smaller, larger / smaller];
      for (const result of results) if (result > 0 && Number.isInteger(result)) reachable([...rest, result], found);
    }
  }
  return found;
}

const numbers = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 4 });

test('for random numbers, `nearestDistance` agrees with an exhaustive search', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 2_000 }), (given, target) => {
      const nearest = Math.min(...[...reachable(given)].map((value) => Math.abs(value - target)));
      expect(nearestDistance({ numbers: given, target, every: false })).toBe(nearest);
    }),
    { numRuns: 60 },
  );
});

test.each([
  [[1, 3, 7, 10, 25], 765, false],
  [[5, 5, 5, 5, 5], 999, false],
  [[2, 3, 4, 5, 6], 7_000, false],
])(
  'for the numbers %j and the target %d, `nearestDistance` agrees with an exhaustive search',
  (given, target, every) => {
    const nearest = Math.min(...[...reachable(given)].map((value) => Math.abs(value - target)));
    expect(nearestDistance({ numbers: given, target, every })).toBe(nearest);
  },
);

test('`nearestDistance` ignores expressions that omit a number if every number must be used', () => {
  expect(nearestDistance({ numbers: [2, 3, 100], target: 6, every: false })).toBe(0);
  expect(nearestDistance({ numbers: [2, 3, 100], target: 6, every: true })).toBeGreaterThan(0);
});
