/** @file Sums of money in sentences. */

/** US dollars, rounded so that small sums still say something: `$2.00`, `$0.012`. */
export function money(usd: number): string {
  return `$${usd >= 1 ? usd.toFixed(2) : Number(usd.toPrecision(2))}`;
}
