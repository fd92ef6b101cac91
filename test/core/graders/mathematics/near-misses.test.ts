import { expect, test } from 'vitest';
import { sameAnswer } from '../../../../src/core/graders/mathematics';
import nearMisses from '../../../fixtures/near-misses.json' with { type: 'json' };

test('rejects each of at least 200 answers that are almost right', () => {
  const pairs = nearMisses.map(([reference = '', answer = '']) => ({ reference, answer }));

  const wrong = pairs.filter(({ reference, answer }) => sameAnswer(reference, answer));

  expect(pairs.length).toBeGreaterThanOrEqual(200);
  expect(wrong).toEqual([]);
});

test('accepts every text of the near misses as equal to itself with added spaces', () => {
  const references = nearMisses.flatMap((pair) => pair);

  expect(references.filter((reference) => !sameAnswer(reference, ` ${reference} `))).toEqual([]);
});
