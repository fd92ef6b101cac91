import { expect, it } from 'vitest';
import { Tally } from '../../../../src/core/evaluation/batches/progress';
import { outcome, storedBatch } from '../../../fixtures/evaluation/batches';

it('the cost of a batch includes failed runs, and counts their cost only once after a retry', () => {
  const [first, second] = [outcome(null, { runId: 'a', usd: 0.02 }), outcome(null, { runId: 'b', usd: 0.03 })];
  const tally = new Tally(storedBatch('batch'), [], [first, second]);
  expect(tally.done).toBe(0);
  expect(tally.cost.usd).toBeCloseTo(0.05);
  // The retry resumed the run, so the run's cost includes the earlier two cents.
  tally.add(outcome(true, { runId: 'a', usd: 0.04 }));
  expect(tally.cost.usd).toBeCloseTo(0.07);
});
