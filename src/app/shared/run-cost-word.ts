/** @file Formats the cost of a whole run. */
import { isSampleRun } from '../../core/contract';
import { count, money } from '../ui/figures';
import { AT_MADE_UP_PRICES } from './made-up-words';

interface KnownCost {
  /** Sum of the known costs, USD. */
  readonly usd: number;
  /** Number of calls whose cost is unknown. */
  readonly unpriced: number;
}

/** Whether some calls have an unknown cost and all other calls were free. */
export function isCostUnknown({ usd, unpriced }: KnownCost): boolean {
  return usd === 0 && unpriced > 0;
}

/**
 * Formats a cost: "$0.28", "$0.28 + 2 unpriced", "cost unknown", or "$0.28 at made-up prices" for a sample run.
 * @param cost the cost and the run's id
 */
export function runCostWord(cost: KnownCost & { readonly id: string }): string {
  const { id, usd, unpriced } = cost;
  if (isCostUnknown(cost)) return 'cost unknown';
  const prices = usd > 0 && isSampleRun(id) ? ` ${AT_MADE_UP_PRICES}` : '';
  return `${money(usd)}${prices}${unpriced > 0 ? ` + ${count(unpriced)} unpriced` : ''}`;
}
