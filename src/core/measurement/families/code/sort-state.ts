/** @file The state of a list in the middle of a sorting algorithm. */
import { shuffled } from '../../../contract';
import type { Definition } from '../definition';
import { pickOf, repeat } from '../draw';

export interface SortState {
  readonly algorithm: 'bubble' | 'reverse bubble' | 'exchange';
  readonly list: readonly number[];
  /** The list is printed after this many comparisons. */
  readonly comparisons: number;
}

export const sortState: Definition<SortState> = {
  id: 'sort-state',
  label: 'State of a sorting algorithm',
  domain: 'code',
  // The number of comparisons.
  sizes: [6, 10, 16, 25, 40, 64, 100, 160],
  form: 'list',
  draw: (random, comparisons) => {
    // About two thirds of the comparisons that sorting the list takes.
    const length = Math.ceil(Math.sqrt(3 * comparisons) + 0.5);
    const numbers = repeat(90, (index) => index + 10);
    return {
      algorithm: pickOf(['bubble', 'reverse bubble', 'exchange'] as const, random),
      list: shuffled(numbers, random).slice(0, length),
      comparisons,
    };
  },
  ask: (puzzle) =>
    `This JavaScript program stops before the list is sorted. What does it print?\n\n${programText(puzzle)}`,
  answer: 'the printed list, separated by commas',
  solve: ({ algorithm, list, comparisons }) => {
    const sorted = [...list];
    for (const [low, high] of comparedPairs(algorithm, list.length).slice(0, comparisons)) {
      const [one = 0, other = 0] = [sorted[low], sorted[high]];
      if (one > other) [sorted[low], sorted[high]] = [other, one];
    }
    return sorted.join(', ');
  },
  steps: ({ comparisons }) => comparisons,
};

/** The places that the algorithm compares, in order. */
function comparedPairs(algorithm: SortState['algorithm'], length: number): readonly (readonly [number, number])[] {
  const rounds = repeat(length - 1, (round) => round);
  return rounds.flatMap((round) => {
    const inRound = repeat(length - 1 - round, (index) => index);
    switch (algorithm) {
      case 'bubble':
        return inRound.map((index) => [index, index + 1] as const);
      case 'reverse bubble':
        return inRound.map((index) => [length - 2 - index, length - 1 - index] as const);
      case 'exchange':
        return inRound.map((index) => [round, round + 1 + index] as const);
      default:
        return algorithm satisfies never;
    }
  });
}

const LOOPS: Readonly<
  Record<SortState['algorithm'], readonly [outer: string, inner: string, low: string, high: string]>
> = {
  bubble: ['let end = list.length - 1; end > 0; end--', 'let j = 0; j < end; j++', 'j', 'j + 1'],
  'reverse bubble': [
    'let start = 0; start < list.length - 1; start++',
    'let j = list.length - 1; j > start; j--',
    'j - 1',
    'j',
  ],
  exchange: ['let i = 0; i < list.length - 1; i++', 'let j = i + 1; j < list.length; j++', 'i', 'j'],
};

function programText({ algorithm, list, comparisons }: SortState): string {
  const [outer, inner, low, high] = LOOPS[algorithm];
  return `const list = [${list.join(', ')}];
let comparisons = 0;
sorting: for (${outer}) {
  for (${inner}) {
    if (list[${low}] > list[${high}]) {
      [list[${low}], list[${high}]] = [list[${high}], list[${low}]];
    }
    comparisons += 1;
    if (comparisons === ${comparisons}) break sorting;
  }
}
console.log(list.join(", "));`;
}
