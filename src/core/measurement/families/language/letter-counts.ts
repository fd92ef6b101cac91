/** @file Counts letters in a list of words. */
import type { Definition } from '../definition';
import { pickOf, repeat, sampleOf } from '../draw';
import { WORDS } from '../words';

export interface LetterCounts {
  readonly words: readonly string[];
  readonly letters: readonly string[];
}

export const letterCounts: Definition<LetterCounts> = {
  id: 'letter-counts',
  label: 'Counting letters',
  domain: 'language',
  // The number of words.
  sizes: [6, 10, 16, 25, 40, 64, 100, 160],
  form: 'list',
  draw: (random, count) => ({
    words: repeat(count, () => pickOf(WORDS, random)),
    letters: sampleOf([...'aeilnorst'], 3, random),
  }),
  ask: ({ words, letters }) =>
    `How often does each of the letters ${letters.join(', ')} occur in the text below? Count every occurrence, also several in one word.\n\n${words.join(' ')}`,
  answer: 'the list of the three counts in the order of the letters above, separated by commas',
  solve: ({ words, letters }) => {
    const text = words.join('');
    return letters.map((letter) => text.split(letter).length - 1).join(', ');
  },
  // Each word is read once.
  steps: ({ words }) => words.length,
};
