/** @file Words for the cost of a whole run. */
import { isSampleRun } from '../../core/contract';
import { count, money } from './figures';
import { AT_MADE_UP_PRICES } from './made-up-words';

interface KnownCost {
  /** Known cost, USD. */
  readonly usd: number;
  /** Number of calls whose cost is unknown. */
  readonly unpriced: number;
}

/** Whether nothing is known about a cost: there are calls of unknown cost, and all other calls were free. */
export function isCostUnknown({ usd, unpriced }: KnownCost): boolean {
  return usd === 0 && unpriced > 0;
}

/** "$0.28", "$0.28 at made-up prices" for a sample run, "$0.28 + 2 unpriced", or "cost unknown". @param cost with the run's id */
export function runCostWord(cost: KnownCost & { readonly id: string }): string {
  const { id, usd, unpriced } = cost;
  if (isCostUnknown(cost)) return 'cost unknown';
  const prices = usd > 0 && isSampleRun(id) ? ` ${AT_MADE_UP_PRICES}` : '';
  return `${money(usd)}${prices}${unpriced > 0 ? ` + ${count(unpriced)} unpriced` : ''}`;
}
