/**
 * @file The pieces of a comparison of two texts. This file is separate from `word-diff.ts`, so that pages can import it
 * without the diff library.
 */

/** A piece of text that is in both texts (`same`), only in the earlier text (`removed`) or only in the later text (`added`). */
export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** How much of the longer text is in both texts, from 0 to 1. White space doesn't count. */
export function sharedPart(pieces: readonly DiffPiece[]): number {
  const length = (kinds: readonly DiffPiece['kind'][]) =>
    pieces.reduce((sum, { kind, text }) => sum + (kinds.includes(kind) ? text.replace(/\s+/g, '').length : 0), 0);
  const longer = Math.max(length(['same', 'removed']), length(['same', 'added']));
  return longer === 0 ? 1 : length(['same']) / longer;
}
