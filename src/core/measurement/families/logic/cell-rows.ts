/** @file Computes a row of cells from the row before it, several times. */
import type { Definition } from '../definition';
import { drawUntil, randomBits } from '../draw';

export interface CellRows {
  /** The new cell for each of the eight groups 000, 001, …, 111. */
  readonly rule: string;
  readonly row: string;
  readonly times: number;
}

export const cellRows: Definition<CellRows, readonly [width: number, times: number]> = {
  id: 'cell-rows',
  label: 'Rows of cells',
  domain: 'logic',
  sizes: [
    [7, 1],
    [11, 1],
    [17, 1],
    [13, 2],
    [13, 3],
    [16, 4],
    [20, 5],
    [20, 8],
  ],
  form: 'text',
  draw: (random, [width, times]) =>
    drawUntil(
      () => ({ rule: randomBits(8, random), row: randomBits(width, random), times }),
      // Many rules soon give a row of equal cells.
      (puzzle) => new Set(nextRow(puzzle)).size > 1 && nextRow(puzzle) !== puzzle.row && isVaried(lastRow(puzzle)),
    ),
  ask: ({ rule, row, times }) =>
    `A row has ${row.length} cells, each 0 or 1. The row is a ring: the right neighbour of the last cell is the first cell. The next row has the same length. Each of its cells depends on three cells of the row before it: the left neighbour, the cell itself, and the right neighbour, in this order:\n\n${[...rule].map((cell, index) => `${index.toString(2).padStart(3, '0')} -> ${cell}`).join('\n')}\n\nThe first row is ${row}. What is the row after ${times === 1 ? 'one such step' : `${times} such steps`}?`,
  answer: 'the row as a text of 0 and 1',
  solve: lastRow,
  // Each new cell is looked up.
  steps: ({ row, times }) => row.length * times,
};

function nextRow({ rule, row }: Pick<CellRows, 'rule' | 'row'>): string {
  return [...row]
    .map((cell, index) => {
      const group = `${row.at(index - 1)}${cell}${row[(index + 1) % row.length]}`;
      return rule.charAt(parseInt(group, 2));
    })
    .join('');
}

function lastRow({ rule, row, times }: CellRows): string {
  let current = row;
  for (let step = 0; step < times; step++) current = nextRow({ rule, row: current });
  return current;
}

/** Whether a row has at least two cells of each kind. */
function isVaried(row: string): boolean {
  const ones = row.replaceAll('0', '').length;
  return ones > 1 && ones < row.length - 1;
}
