import { expect, it } from 'vitest';
import { costNote } from '../../../../src/app/components/runs/run-list-words';
import { sampleRunId } from '../../../../src/core/contract';

it('a note on the cost names unpriced calls and the made-up prices of a sample run', () => {
  const sample = sampleRunId(1);
  expect(costNote({ id: 'run', usd: 0.25, unpriced: 0 })).toBe('');
  expect(costNote({ id: 'run', usd: 0.25, unpriced: 2 })).toBe('and 2 calls of unknown cost');
  expect(costNote({ id: sample, usd: 0.25, unpriced: 0 })).toBe('at made-up prices');
  expect(costNote({ id: sample, usd: 0.25, unpriced: 1 })).toBe('at made-up prices, and 1 call of unknown cost');
  expect(costNote({ id: sample, usd: 0, unpriced: 0 })).toBe('');
});
