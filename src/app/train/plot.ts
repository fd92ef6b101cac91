/** @file Geometry of the training plots: positions in percent, and labels that don't overlap. */

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly style: 'strong' | 'plain' | 'dashed' | 'dots';
}

/** The vertical axis of a plot: its bounds, ticks and number format. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly words: (value: number) => string;
}

/** Distance of a value from the top of the plot in percent, from 0 to 100. */
export function down(value: number, { low, high }: Pick<Scale, 'low' | 'high'>): number {
  const share = (value - low) / Math.max(1e-9, high - low);
  return 100 * (1 - Math.min(1, Math.max(0, share)));
}

/** Distance of an update from the left edge in percent. @param last the update at the right edge */
export function along(update: number, last: number): number {
  return (100 * update) / Math.max(1, last);
}

/** Moves labels apart that are closer than `gap`, without changing their order. All values are in percent. */
export function apart(positions: readonly number[], gap: number): number[] {
  const order = [...positions.keys()].toSorted((one, other) => (positions[one] ?? 0) - (positions[other] ?? 0));
  const placed = positions.slice();
  let least = 0;
  for (const index of order) {
    placed[index] = Math.max(positions[index] ?? 0, least);
    least = (placed[index] ?? 0) + gap;
  }
  let most = 100;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, most);
    most = (placed[index] ?? 0) - gap;
  }
  return placed;
}
