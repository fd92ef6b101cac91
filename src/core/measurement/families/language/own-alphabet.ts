/** @file Sorts words by an alphabet in another order. */
import { shuffled } from '../../../contract';
import type { Definition } from '../definition';
import { sampleOf } from '../draw';
import { WORDS } from '../words';

export interface OwnAlphabet {
  readonly alphabet: string;
  readonly words: readonly string[];
}

export const ownAlphabet: Definition<OwnAlphabet> = {
  id: 'own-alphabet',
  label: 'Sorting by another alphabet',
  domain: 'language',
  // The number of words.
  sizes: [4, 5, 7, 9, 13, 18, 26, 36],
  form: 'list',
  draw: (random, count) => ({
    alphabet: shuffled([...'abcdefghijklmnopqrstuvwxyz'], random).join(''),
    words: sampleOf(WORDS, count, random),
  }),
  ask: ({ alphabet, words }) =>
    `Sort the words below as in a dictionary, but for a language whose alphabet has this order:\n\n${[...alphabet].join(' ')}\n\nWords: ${words.join(', ')}`,
  answer: 'the list of all words in the right order, separated by commas',
  solve: ({ alphabet, words }) => {
    const places = (word: string) => [...word].map((letter) => alphabet.indexOf(letter));
    return words.toSorted((one, other) => compareLists(places(one), places(other))).join(', ');
  },
  // About as many comparisons as sorting by merging takes.
  steps: ({ words }) => Math.round(words.length * Math.log2(words.length)),
};

/** The first difference decides. A word comes before its continuations. */
function compareLists(one: readonly number[], other: readonly number[]): number {
  for (const [index, place] of one.entries()) {
    const difference = place - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
