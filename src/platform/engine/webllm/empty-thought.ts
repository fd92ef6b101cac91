/**
 * @file Removes the empty thought from the beginning of an answer. WebLLM writes it to stop models from thinking, and returns it
 * with the answer.
 */

/** As WebLLM writes it. */
const EMPTY_THOUGHT = '<think>\n\n</think>\n\n';

/** @returns a function that maps an answer's pieces, in order, to the text to show */
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
