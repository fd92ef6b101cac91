/** @file Sums up what a run has spent so far. */
import type { Account } from '../money/account';
import type { Run } from './state';

/** Adds the usage and cost of one call. A call of unknown cost counts as unpriced, so that the sum can be shown as a minimum. */
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
