/**
 * @file Models that think before they answer are told not to, by an empty thought that WebLLM writes for them. It comes back at
 * the beginning of the answer, where nobody asked for it.
 */

/** As WebLLM writes it. */
const EMPTY_THOUGHT = '<think>\n\n</think>\n\n';

/** @returns takes an answer's pieces in order and gives what is to be shown of each */
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
