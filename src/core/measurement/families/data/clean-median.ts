/** @file Cleans a table of measurements, and computes the median. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf, repeat } from '../draw';

/** `grams`: `null` if nothing was measured. `text`: the measurement as written. */
interface Reading {
  readonly parcel: number;
  readonly grams: number | null;
  readonly text: string;
}

export interface Readings {
  readonly rows: readonly Reading[];
}

export const cleanMedian: Definition<Readings> = {
  id: 'clean-median',
  label: 'Median of cleaned data',
  domain: 'data',
  // The number of rows.
  sizes: [3, 5, 8, 13, 20, 32, 50, 80],
  form: 'number',
  draw: (random, count) =>
    drawUntil(
      () => ({ rows: drawRows(random, count) }),
      (puzzle) => cleaned(puzzle).length > 1,
    ),
  ask: ({ rows }) =>
    `The table has the weights of parcels. Clean it first: leave out rows without a weight. If a parcel still occurs in several rows, only the last one of them counts. What is the median weight of the parcels in grams? For an even number of parcels, the median is the mean of the two weights in the middle.\n\nparcel,weight\n${rows.map(({ parcel, text }) => `P${parcel},${text}`).join('\n')}`,
  answer: 'the median in grams, as a number without a unit',
  solve: (puzzle) => {
    const weights = cleaned(puzzle).toSorted((one, other) => one - other);
    const middle = weights.slice((weights.length - 1) >> 1, (weights.length >> 1) + 1);
    return String(middle.reduce((sum, weight) => sum + weight, 0) / middle.length);
  },
  // Each row is cleaned, and put in its place.
  steps: ({ rows }) => 2 * rows.length,
};

function drawRows(random: Random, count: number): readonly Reading[] {
  return repeat(count, () => {
    const parcel = between(random, 1, Math.ceil(count * 1.5) + 2);
    if (random() < 0.12) return { parcel, grams: null, text: pickOf(['n/a', '-', '', '?'], random) };
    const grams = between(random, 101, 2999);
    const texts = [`${grams} g`, `${(grams / 1000).toFixed(3)} kg`, `${grams}g`, `${(grams / 1000).toFixed(3)}kg`];
    return { parcel, grams, text: pickOf(texts, random) };
  });
}

function cleaned({ rows }: Readings): readonly number[] {
  const weights = new Map<number, number>();
  for (const { parcel, grams } of rows) if (grams !== null) weights.set(parcel, grams);
  return [...weights.values()];
}
