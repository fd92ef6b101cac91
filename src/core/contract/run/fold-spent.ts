/** @file Adds the usage and cost of calls to a run's totals. */
import type { Account } from '../money/account';
import type { Run } from './state';

/**
 * Adds one call. A call of unknown cost counts in `unpriced`, so that the page can show that the run cost at
 * least `usd`.
 */
export function addSpent(run: Run, { usage, cost, billed = false }: Account): Run {
  const { spent } = run;
  return {
    ...run,
    spent: {
      ...spent,
      input: spent.input + (usage?.input ?? 0),
      output: spent.output + (usage?.output ?? 0),
      usd: spent.usd + (cost ?? 0),
      billed: spent.billed + (billed ? (cost ?? 0) : 0),
      unpriced: spent.unpriced + (cost === null ? 1 : 0),
      estimated: spent.estimated || usage?.estimated === true,
    },
  };
}
