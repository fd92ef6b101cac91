/** @file The CSS colours of a worker, for marks, notes and curves. */

/** CSS fill for a worker's colour number (1 to 9). For any other number: the Conductor's fill. */
export function fillOf(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour})` : 'var(--ink)';
}

/** Text colour that is readable on the fill that `fillOf` returns for the same colour. */
export function inkOn(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour}-on)` : 'var(--page)';
}
