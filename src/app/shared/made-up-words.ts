/** @file Texts for the costs of sample runs. Prices in sample runs are made up. */
import { money } from '../ui/figures';

/** Shown after a cost from a sample run: the cost of the run, a plan or a step. */
export const AT_MADE_UP_PRICES = 'at made-up prices';

/** "$0.28 at made-up prices of sample runs". */
export function madeUpWords(usd: number): string {
  return `${money(usd)} ${AT_MADE_UP_PRICES} of sample runs`;
}
