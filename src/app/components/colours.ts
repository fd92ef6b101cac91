/** @file A worker's colour as the two custom properties that marks, notes and curves read. */

/** Fill of a worker's colour, 1 to 9; anything else is the Conductor's ink. */
export function fillOf(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour})` : 'var(--ink)';
}

/** Ink that reads on that fill. */
export function inkOn(colour: number): string {
  return colour >= 1 && colour <= 9 ? `var(--w${colour}-on)` : 'var(--page)';
}
