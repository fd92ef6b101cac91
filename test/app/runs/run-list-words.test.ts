import { expect, it } from 'vitest';
import { costNote, costWord } from '../../../src/app/runs/run-list-words';
import { sampleRunId } from '../../../src/core/contract';

it('the cost note mentions calls of unknown cost and the made-up prices of sample runs', () => {
  const sample = sampleRunId(1);
  expect(costNote({ id: 'run', usd: 0.25, unpriced: 0 })).toBe('');
  expect(costNote({ id: 'run', usd: 0.25, unpriced: 2 })).toBe('and 2 calls of unknown cost');
  expect(costNote({ id: sample, usd: 0.25, unpriced: 0 })).toBe('at made-up prices');
  expect(costNote({ id: sample, usd: 0.25, unpriced: 1 })).toBe('at made-up prices, and 1 call of unknown cost');
  expect(costNote({ id: sample, usd: 0, unpriced: 0 })).toBe('');
  expect(costNote({ id: 'run', usd: 0, unpriced: 2 })).toBe('2 calls of unknown cost');
});

it.each([
  ['the known cost', 0.25, 0, '$0.25'],
  ['that more was spent, if the cost of some calls is unknown', 0.25, 2, '$0.25 + ?'],
])('the cost in the list shows %s', (_case, usd, unpriced, words) => {
  expect(costWord({ usd, unpriced })).toBe(words);
});
