/** @file Follows moves in the Tower of Hanoi, some of which are against the rules. */
import type { Definition } from '../definition';
import { drawUntil, pickOf, repeat } from '../draw';

const PEGS = ['A', 'B', 'C'] as const;
type Peg = (typeof PEGS)[number];

export interface DiscMoves {
  /** The peg of each disc, smallest first. */
  readonly discs: readonly Peg[];
  readonly moves: readonly (readonly [from: Peg, to: Peg])[];
}

interface Size {
  readonly discs: number;
  readonly moves: number;
}

export const discMoves: Definition<DiscMoves, Size> = {
  id: 'disc-moves',
  label: 'Moves in the Tower of Hanoi',
  domain: 'logic',
  sizes: [
    { discs: 5, moves: 6 },
    { discs: 5, moves: 10 },
    { discs: 6, moves: 16 },
    { discs: 6, moves: 25 },
    { discs: 7, moves: 40 },
    { discs: 7, moves: 64 },
    { discs: 8, moves: 100 },
    { discs: 8, moves: 160 },
  ],
  form: 'text',
  draw: (random, size) => ({
    discs: repeat(size.discs, () => pickOf(PEGS, random)),
    moves: repeat(size.moves, () =>
      drawUntil(
        () => [pickOf(PEGS, random), pickOf(PEGS, random)] as const,
        ([from, to]) => from !== to,
      ),
    ),
  }),
  ask: ({ discs, moves }) =>
    [
      `Three pegs, A, B and C, hold ${discs.length} discs. Disc 1 is the smallest, and disc ${discs.length} is the largest. On each peg, smaller discs lie on larger ones. At first, the discs 1 to ${discs.length} are, in this order, on the pegs ${discs.join(', ')}.`,
      'A move such as "A>B" takes the top disc of peg A, and puts it on peg B. A move is skipped if its first peg is empty, or if the disc would lie on a smaller one. The moves are carried out in this order:',
      moves.map((move) => move.join('>')).join(' '),
      'On which pegs are the discs at the end?',
    ].join('\n\n'),
  answer: 'the list of the pegs of all discs from disc 1 to the last one, separated by commas',
  solve: ({ discs, moves }) => {
    const places = [...discs];
    for (const [from, to] of moves) {
      const top = places.indexOf(from);
      const below = places.indexOf(to);
      if (top >= 0 && (below < 0 || top < below)) places[top] = to;
    }
    return places.join(', ');
  },
  steps: ({ moves }) => moves.length,
};
