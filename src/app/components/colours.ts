/** @file A worker's colour, as the custom properties used by marks, notes and curves. */

/** Fill for a worker's colour (1 to 9). Any other value gives the Conductor's ink. */
export function fillOf(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour})` : 'var(--ink)';
}

/** Text colour that is readable on the fill that `fillOf` returns for the same colour. */
export function inkOn(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour}-on)` : 'var(--page)';
}
