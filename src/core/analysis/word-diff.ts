/** @file Compares two texts word by word. A comparison of long texts can take seconds, so pages run it in a Web Worker. */
import { diffLines, diffWordsWithSpace, type Change } from 'diff';
import type { DiffPiece } from './diff-piece';

/**
 * Maximum number of removed and added words, or lines in a comparison by line. The time of a comparison grows with the square of
 * this number.
 */
const MOST_CHANGES = 3_000;
/** Maximum number of UTF-16 units in both texts together. */
const MOST_CHARACTERS = 4_000_000;

/**
 * The pieces of two texts, in order. The `same` and `removed` pieces make up `before`, the `same` and `added` pieces make up
 * `after`. Texts that differ in too many words are compared by line.
 * @returns `null` if they differ in too many lines as well, or the texts are too long
 */
export function wordDiff(before: string, after: string): DiffPiece[] | null {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  if (before.length + after.length > MOST_CHARACTERS) return null;
  const options = { maxEditLength: MOST_CHANGES };
  const changes = diffWordsWithSpace(before, after, options) ?? diffLines(before, after, options);
  return changes?.map(pieceOf) ?? null;
}

function pieceOf({ added, removed, value }: Change): DiffPiece {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value };
}
