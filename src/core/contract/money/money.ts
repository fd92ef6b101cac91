/** @file What an amount of money is, and how it is written in sentences. */

/** The largest amount that is accepted, US dollars, so that sums of amounts stay finite. */
export const MOST_USD = 1e9;

/** Whether a number is an amount of money in US dollars: neither negative nor infinite, and not NaN. */
export function isMoney(usd: number): boolean {
  return usd >= 0 && usd <= MOST_USD;
}

/** US dollars with enough decimals to tell small amounts apart: `$0`, `under $0.0001`, `$0.0014`, `$0.21`, `$12.50`. */
export function money(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.000_05) return 'under $0.0001';
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
