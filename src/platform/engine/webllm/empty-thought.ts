/**
 * @file Handles the empty thought that WebLLM inserts before an answer to stop the model from
 * thinking. WebLLM returns the empty thought with the answer, and counts its tokens toward the
 * limit of the answer.
 */
import type { Pipeline } from './pipeline';

const EMPTY_THOUGHT = '<think>\n\n</think>\n\n';

/** Number of tokens of the empty thought. */
export function emptyThoughtTokens({ tokenizer }: Pick<Pipeline, 'tokenizer'>): number {
  return tokenizer.encode(EMPTY_THOUGHT).length;
}

/**
 * Removes the empty thought from the beginning of an answer.
 * @param isExpected whether WebLLM inserts an empty thought
 * @returns a function that receives each piece of the answer in order, and returns the text to show
 */
export function createPrefixRemover(isExpected: boolean): (piece: string) => string {
  let held = '';
  let isOpen = isExpected;
  return (piece) => {
    if (!isOpen) return piece;
    held += piece;
    if (held.length < EMPTY_THOUGHT.length && EMPTY_THOUGHT.startsWith(held)) return '';
    isOpen = false;
    return held.startsWith(EMPTY_THOUGHT) ? held.slice(EMPTY_THOUGHT.length) : held;
  };
}
