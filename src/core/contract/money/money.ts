/** @file What an amount of money is, and how it is written in sentences. */

/** The largest amount that is accepted, US dollars, so that sums of amounts stay finite. */
export const MOST_USD = 1e9;

/** Whether a number is an amount of money in US dollars: neither negative nor infinite, and not NaN. */
export function isMoney(usd: number): boolean {
  return usd >= 0 && usd <= MOST_USD;
}

/** US dollars, rounded so that small sums still say something: `$2.00`, `$0.012`. */
export function money(usd: number): string {
  return `$${usd >= 1 ? usd.toFixed(2) : Number(usd.toPrecision(2))}`;
}
