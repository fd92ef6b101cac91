/** @file The CSS colors of a worker. */

/** The CSS fill for a worker's color number (1 to 9). Any other number gets the Conductor's fill. */
export function fillOf(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour})` : 'var(--ink)';
}

/** The CSS color for text on the fill that `fillOf` returns for the same number. */
export function inkOn(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour}-on)` : 'var(--page)';
}
