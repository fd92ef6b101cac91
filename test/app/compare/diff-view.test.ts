import { describe, expect, test } from 'vitest';
import { firstPieces, lengthOf, type ShownPiece } from '../../../src/app/compare/diff-view';

describe('the first pieces of a comparison', () => {
  const pieces: readonly ShownPiece[] = [
    { kind: 'removed', text: 'short' },
    { kind: 'added', text: 'long '.repeat(20) },
  ];

  test('are cut to the maximum total length', () => {
    const shown = firstPieces(pieces, { units: 50, pieces: 10 });
    expect(shown).toHaveLength(pieces.length);
    expect(lengthOf(shown)).toBe(50);
    expect(lengthOf(pieces)).toBe(105);
  });

  test('contain the whole text if it fits', () => {
    expect(lengthOf(firstPieces(pieces, { units: 105, pieces: 2 }))).toBe(lengthOf(pieces));
  });
});
