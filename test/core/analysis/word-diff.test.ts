import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharedPart, type DiffPiece } from '../../../src/core/analysis/diff-piece';
import { wordDiff } from '../../../src/core/analysis/word-diff';

const words = fc
  .array(fc.constantFrom('seven ', 'times ', '3', ' + ', '\n', 'écart ', '数', '字', '', '👍'), { maxLength: 40 })
  .map((parts) => parts.join(''));
const textOf = (pieces: readonly DiffPiece[], without: DiffPiece['kind']) =>
  pieces.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('');

describe('wordDiff', () => {
  test('preserves both texts completely', () => {
    fc.assert(
      fc.property(fc.oneof(words, fc.string({ unit: 'binary' })), words, (before, after) => {
        const pieces = wordDiff(before, after) ?? [];
        expect(textOf(pieces, 'added')).toBe(before);
        expect(textOf(pieces, 'removed')).toBe(after);
      }),
    );
  });

  test('finds no change in equal texts', () => {
    fc.assert(
      fc.property(words, (text) => {
        expect(wordDiff(text, text)?.every(({ kind }) => kind === 'same')).toBe(true);
      }),
    );
  });

  test('marks only the changed words', () => {
    expect(wordDiff('7 × 75 = 525, twelve left', '7 × 76 = 532, twelve left')).toEqual([
      { kind: 'same', text: '7 × ' },
      { kind: 'removed', text: '75' },
      { kind: 'added', text: '76' },
      { kind: 'same', text: ' = ' },
      { kind: 'removed', text: '525' },
      { kind: 'added', text: '532' },
      { kind: 'same', text: ', twelve left' },
    ]);
  });

  test('compares texts by line when they differ in too many words', () => {
    const line = (seed: number) => Array.from({ length: 4_000 }, (_, index) => `${seed * index}`).join(' ');
    const pieces = wordDiff(`first\n${line(3)}\nlast`, `first\n${line(7)}\nlast`);
    expect(pieces?.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
  });

  test('returns null for texts that are too long', () => {
    expect(wordDiff('a '.repeat(2_000_000), 'b')).toBeNull();
  });
});

describe('sharedPart', () => {
  test('is one for equal texts and zero for texts without a common word', () => {
    expect(sharedPart(wordDiff('one two', 'one two') ?? [])).toBe(1);
    expect(sharedPart(wordDiff('one two', 'three') ?? [])).toBe(0);
    expect(sharedPart([])).toBe(1);
  });
});
