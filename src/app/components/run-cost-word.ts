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

/** "$0.28", "$0.28 at made-up prices" for a sample run, or "$0.28 + 2 unpriced". */
export function runCostWord({ id, usd, unpriced }: RunCost): string {
  const prices = usd > 0 && isSampleRun(id) ? ` ${AT_MADE_UP_PRICES}` : '';
  return `${money(usd)}${prices}${unpriced > 0 ? ` + ${count(unpriced)} unpriced` : ''}`;
}
