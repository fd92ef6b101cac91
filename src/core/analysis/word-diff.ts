/** @file Compares two texts word by word. Comparing long texts can take seconds, so pages use a Web Worker. */
import { diffLines, diffWordsWithSpace, type Change } from 'diff';
import type { DiffPiece } from './diff-piece';

/**
 * Maximum number of differences: removed and added words, or removed and added lines in a comparison by line.
 * The time of a comparison grows with the square of this number.
 */
const MOST_CHANGES = 3_000;
/** Maximum number of UTF-16 units in both texts together. */
const MOST_CHARACTERS = 4_000_000;

/**
 * Splits two texts into equal and different pieces, in order. The `same` and `removed` pieces make up `before`. The `same` and
 * `added` pieces make up `after`. If too many words differ, the texts are compared by line.
 * @returns `null` if the texts are too long, or if too many words and too many lines differ
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
