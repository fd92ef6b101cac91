/** @file Rearranges words by a list of instructions. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf, repeat, sampleOf } from '../draw';
import { WORDS } from '../words';

/** The places are numbered from 1. */
interface Move {
  readonly kind: 'swap' | 'reverse' | 'move';
  readonly from: number;
  readonly to: number;
}

export interface WordMoves {
  readonly words: readonly string[];
  readonly moves: readonly Move[];
}

export const wordMoves: Definition<WordMoves> = {
  id: 'word-moves',
  label: 'Rearranging words',
  domain: 'language',
  // The number of instructions.
  sizes: [3, 5, 8, 13, 20, 32, 50, 80],
  form: 'list',
  draw: (random, count) => {
    const words = sampleOf(WORDS, between(random, 6, 8), random);
    return { words, moves: repeat(count, () => drawMove(random, words.length)) };
  },
  ask: ({ words, moves }) =>
    `Rearrange the words below by the instructions, one after the other. The places are numbered from the left, beginning with 1, and always refer to the current order.\n\nWords: ${words.join(' ')}\n\n${moves.map((move, index) => `${index + 1}. ${sentence(move)}`).join('\n')}\n\nIn which order are the words at the end?`,
  answer: 'the list of all words in their last order, separated by commas',
  solve: ({ words, moves }) => moves.reduce(carriedOut, words).join(', '),
  // At least two words change their places in each instruction.
  steps: ({ moves }) => 2 * moves.length,
};

function drawMove(random: Random, places: number): Move {
  const [from, to] = drawUntil(
    () => [between(random, 1, places), between(random, 1, places)] as const,
    ([one, other]) => one !== other,
  );
  const kind = pickOf(['swap', 'reverse', 'move'] as const, random);
  return kind === 'move' ? { kind, from, to } : { kind, from: Math.min(from, to), to: Math.max(from, to) };
}

function carriedOut(words: readonly string[], { kind, from, to }: Move): readonly string[] {
  const [one, other] = [from - 1, to - 1];
  switch (kind) {
    case 'swap':
      return words.map((word, place) => (place === one ? words[other] : place === other ? words[one] : word) ?? word);
    case 'reverse':
      return [...words.slice(0, one), ...words.slice(one, to).toReversed(), ...words.slice(to)];
    case 'move': {
      const rest = words.filter((_, place) => place !== one);
      return [...rest.slice(0, other), ...words.slice(one, from), ...rest.slice(other)];
    }
    default:
      return kind satisfies never;
  }
}

function sentence({ kind, from, to }: Move): string {
  switch (kind) {
    case 'swap':
      return `Swap the words at the places ${from} and ${to}.`;
    case 'reverse':
      return `Reverse the order of the words from place ${from} to place ${to}.`;
    case 'move':
      return `Take out the word at place ${from}, and insert it so that it is at place ${to}.`;
    default:
      return kind satisfies never;
  }
}
