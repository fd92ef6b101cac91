/** @file Words for the cost of a whole run. */
import { isSampleRun } from '../../core/contract';
import { count, money } from './figures';
import { AT_MADE_UP_PRICES } from './made-up-words';

interface RunCost {
  /** Id of the run. */
  readonly id: string;
  /** Known cost, USD. */
  readonly usd: number;
  /** Number of calls whose cost is unknown. */
  readonly unpriced: number;
}

/** "$0.28", "$0.28 at made-up prices" for a sample run, "$0.28 + 2 unpriced", or "cost unknown". */
export function runCostWord({ id, usd, unpriced }: RunCost): string {
  if (usd === 0 && unpriced > 0) return 'cost unknown';
  const prices = usd > 0 && isSampleRun(id) ? ` ${AT_MADE_UP_PRICES}` : '';
  return `${money(usd)}${prices}${unpriced > 0 ? ` + ${count(unpriced)} unpriced` : ''}`;
}
