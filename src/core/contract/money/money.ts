/** @file Validates amounts of money and formats them for sentences. */

/** The largest accepted amount, in US dollars. This limit keeps sums of amounts finite. */
export const MOST_USD = 1e9;

/** Whether a number is a valid amount in US dollars: from 0 to `MOST_USD`. */
export function isMoney(usd: number): boolean {
  return usd >= 0 && usd <= MOST_USD;
}

/** Formats a cost: `$0.28`, `$0.28 and 2 calls of unknown cost`, or `2 calls of unknown cost` if the known cost is 0. */
export function costSentence({ usd, unpriced }: { readonly usd: number; readonly unpriced: number }): string {
  if (unpriced === 0) return money(usd);
  const unknown = `${unpriced === 1 ? '1 call' : `${unpriced} calls`} of unknown cost`;
  return usd === 0 ? unknown : `${money(usd)} and ${unknown}`;
}

/**
 * Formats US dollars, with more decimals for small amounts: `$0`, `under $0.0001`, `$0.0014`, `$0.21`, `$12.50`.
 */
export function money(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.000_05) return 'under $0.0001';
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
