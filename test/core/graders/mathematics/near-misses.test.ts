import { expect, test } from 'vitest';
import { sameAnswer } from '../../../../src/core/graders/mathematics';
import nearMisses from '../../../fixtures/near-misses.json' with { type: 'json' };

test('calls none of 200 near misses the same answer', () => {
  const pairs = nearMisses.map(([reference = '', answer = '']) => ({ reference, answer }));

  const wrong = pairs.filter(({ reference, answer }) => sameAnswer(reference, answer));

  expect(pairs.length).toBeGreaterThanOrEqual(200);
  expect(wrong).toEqual([]);
});

test('calls every reference of the near misses the same as itself', () => {
  const references = nearMisses.flatMap((pair) => pair);

  expect(references.filter((reference) => !sameAnswer(reference, ` ${reference} `))).toEqual([]);
});
