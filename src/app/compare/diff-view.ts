/** @file Shortens a comparison of two texts for display: folds long pieces of equal text, and limits the length. */
import { beginningOf } from '../../core/contract';
import type { DiffPiece } from '../../core/analysis/diff-piece';

/** A piece as the page shows it. `folded`: equal text. The page shows only its length until the user opens it. */
export interface ShownPiece {
  readonly kind: DiffPiece['kind'] | 'folded';
  readonly text: string;
}

/** Maximum number of UTF-16 units of equal text that stay visible beside a change. */
const AROUND = 160;
/** Minimum number of UTF-16 units in a piece of equal text that is folded. */
const SHORTEST_FOLD = 600;

/** Folds long pieces of equal text. Up to `AROUND` units beside a change stay visible. */
export function foldEqual(pieces: readonly DiffPiece[]): ShownPiece[] {
  return pieces.flatMap((piece, index): ShownPiece[] => {
    const { kind, text } = piece;
    if (kind !== 'same' || text.length < SHORTEST_FOLD) return [piece];
    const isFirst = index === 0;
    const isLast = index === pieces.length - 1;
    const head = isFirst ? '' : wholeWords(beginningOf(text, AROUND), 'end');
    const rest = text.slice(head.length);
    const tail = isLast ? '' : wholeWords(rest.slice(-AROUND), 'start');
    const folded = rest.slice(0, rest.length - tail.length);
    return [
      ...(head === '' ? [] : [{ kind, text: head }]),
      { kind: 'folded', text: folded },
      ...(tail === '' ? [] : [{ kind, text: tail }]),
    ];
  });
}

/** Removes the word at `side`, because it may be cut off. Returns `''` if the text has no white space. */
function wholeWords(text: string, side: 'start' | 'end'): string {
  const at = side === 'end' ? text.search(/\s\S*$/) : text.search(/\s/);
  if (at < 0) return '';
  return side === 'end' ? text.slice(0, at + 1) : text.slice(at + 1);
}

/** UTF-16 units of all pieces. */
export function lengthOf(pieces: readonly ShownPiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

/** The first pieces, up to a maximum number of UTF-16 units and pieces. Units of folded pieces do not count. */
export function firstPieces(pieces: readonly ShownPiece[], most: { units: number; pieces: number }): ShownPiece[] {
  const first: ShownPiece[] = [];
  let left = most.units;
  for (const piece of pieces) {
    if (left <= 0 || first.length >= most.pieces) break;
    first.push(piece.kind === 'folded' ? piece : { ...piece, text: beginningOf(piece.text, left) });
    left -= piece.kind === 'folded' ? 0 : piece.text.length;
  }
  return first;
}
