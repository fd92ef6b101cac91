import { expect, test } from 'vitest';
import { runCostWord } from '../../../src/app/shared/run-cost-word';
import { sampleRunId } from '../../../src/core/contract';

test.each([
  ['a known cost', 'run', 0.25, 0, '$0.25'],
  ['a cost at made-up prices, if the run is a sample', sampleRunId(1), 0.25, 0, '$0.25 at made-up prices'],
  ['no remark on prices, if a sample run cost nothing', sampleRunId(1), 0, 0, '$0'],
  ['the number of calls whose cost is unknown', 'run', 0.25, 2, '$0.25 + 2 unpriced'],
  ['only that the cost is unknown, if no call has a known cost', 'run', 0, 2, 'cost unknown'],
])('shows %s', (_case, id, usd, unpriced, words) => {
  expect(runCostWord({ id, usd, unpriced })).toBe(words);
});
