/** @file Decodes words whose letters are shifted in the alphabet by a repeating series of numbers. */
import type { Definition } from '../definition';
import { between, pickOf, repeat } from '../draw';
import { WORDS } from '../words';

export interface Cipher {
  /** The words before they were encoded. */
  readonly words: readonly string[];
  readonly shifts: readonly number[];
}

const A = 'a'.charCodeAt(0);

export const cipher: Definition<Cipher> = {
  id: 'cipher',
  label: 'Decoding a cipher',
  domain: 'language',
  // The number of words.
  sizes: [1, 2, 3, 5, 8, 12, 18, 27],
  form: 'text',
  draw: (random, count) => ({
    words: repeat(count, () => pickOf(WORDS, random)),
    shifts: repeat(between(random, 3, 6), () => between(random, 1, 25)),
  }),
  ask: ({ words, shifts }) =>
    `English words were encoded: each letter was shifted forward in the alphabet, and after z the alphabet begins again with a. The numbers of places are ${shifts.join(', ')}, and then again from the first number. Spaces were left as they are, and use no number. The words have nothing to do with each other.\n\nEncoded: ${encoded(words.join(' '), shifts)}\n\nWhat are the words?`,
  answer: 'the decoded words with spaces between them',
  solve: ({ words }) => words.join(' '),
  // Each letter is shifted back.
  steps: ({ words }) => words.join('').length,
};

function encoded(text: string, shifts: readonly number[]): string {
  let letters = 0;
  return [...text]
    .map((character) => {
      if (character === ' ') return character;
      const shift = shifts[letters++ % shifts.length] ?? 0;
      return String.fromCharCode(A + ((character.charCodeAt(0) - A + shift) % 26));
    })
    .join('');
}
