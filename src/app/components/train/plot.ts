/** @file What the training's plots share: places in percent, labels that do not stand on each other, and words for shares. */

/** A line of a plot. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly style: 'strong' | 'plain' | 'dashed' | 'dots';
}

/** The bounds of a plot, and how its values are written. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly words: (value: number) => string;
}

/** From the top, in percent; what is out of bounds stands at the edge. */
export function down(value: number, { low, high }: Pick<Scale, 'low' | 'high'>): number {
  const share = (value - low) / Math.max(1e-9, high - low);
  return 100 * (1 - Math.min(1, Math.max(0, share)));
}

/** From the left, in percent. */
export function along(update: number, last: number): number {
  return (100 * update) / Math.max(1, last);
}

/** Moves labels apart, as little as it takes, in their order. @param gap least distance; all in percent */
export function apart(wanted: readonly number[], gap: number): number[] {
  const order = [...wanted.keys()].toSorted((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  const placed = wanted.slice();
  let least = 0;
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? 0, least);
    least = (placed[index] ?? 0) + gap;
  }
  let most = 100;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, most);
    most = (placed[index] ?? 0) - gap;
  }
  return placed;
}

/** `72 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** `72.4 %`. */
export function finePercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
