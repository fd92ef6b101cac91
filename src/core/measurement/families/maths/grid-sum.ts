/** @file Finds the path through a grid of numbers with the greatest sum. */
import type { Definition } from '../definition';
import { between, repeat } from '../draw';

export interface Grid {
  readonly rows: readonly (readonly number[])[];
}

export const gridSum: Definition<Grid, readonly [width: number, height: number]> = {
  id: 'grid-sum',
  label: 'Best path through a grid',
  domain: 'maths',
  sizes: [
    [3, 2],
    [3, 3],
    [4, 4],
    [5, 5],
    [8, 5],
    [9, 7],
    [10, 10],
    [16, 10],
  ],
  form: 'number',
  draw: (random, [width, height]) => ({ rows: repeat(height, () => repeat(width, () => between(random, 1, 99))) }),
  ask: ({ rows }) =>
    `A path through the grid below begins in the top left cell and ends in the bottom right cell. Each move goes one cell to the right or one cell down. The value of a path is the sum of all numbers on it, including the first and the last one. What is the greatest value of a path?\n\n${rows.map((row) => row.join(' ')).join('\n')}`,
  answer: 'the greatest value as a number',
  solve: ({ rows }) => {
    let above: readonly number[] = [];
    for (const row of rows) {
      const best: number[] = [];
      for (const [x, value] of row.entries()) best.push(Math.max(above[x] ?? 0, best[x - 1] ?? 0) + value);
      above = best;
    }
    return String(above.at(-1));
  },
  // One addition for each cell.
  steps: ({ rows }) => rows.flat().length,
};
