import { expect, test } from 'vitest';
import { costSentence } from '../../../../src/core/contract';

test.each([
  [0.25, 0, '$0.25'],
  [0, 0, '$0'],
  [0.25, 2, '$0.25 and 2 calls of unknown cost'],
  [0, 1, '1 call of unknown cost'],
])('a known cost of $%d and %i calls of unknown cost are “%s”', (usd, unpriced, words) => {
  expect(costSentence({ usd, unpriced })).toBe(words);
});
