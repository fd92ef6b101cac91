import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isHeavy, piecesOf, withFewMarks } from '../../../../src/app/ui/markdown/display-text';

/** Matches a surrogate without its pair. */
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const MARK = '\u0301';
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' ', '\n', '🎼', 'word', MARK.repeat(40), 'x'.repeat(3_000), '\n'.repeat(2_500)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('the pieces of a text', () => {
  test('cover the whole text, have at most 2,000 UTF-16 units each, and split no surrogate pair', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const pieces = piecesOf(text);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(2_000);
        if (!LONE.test(text)) for (const piece of pieces) expect(LONE.test(piece)).toBe(false);
      }),
    );
  });

  test('end at a line break if there is one', () => {
    const line = `${'word '.repeat(60)}\n`;
    for (const piece of piecesOf(line.repeat(40)).slice(0, -1)) expect(piece.endsWith('\n')).toBe(true);
  });

  test('are a single piece if the text is short', () => {
    expect(piecesOf('short')).toEqual(['short']);
    expect(piecesOf('')).toEqual(['']);
  });
});

describe('combining marks', () => {
  test('are limited to 16 per letter, and no letter is lost', () => {
    expect(withFewMarks(`a${MARK.repeat(200_000)}b`)).toBe(`a${MARK.repeat(16)}b`);
    expect(withFewMarks('Việt Nam, שָׁלוֹם, हिन्दी')).toBe('Việt Nam, שָׁלוֹם, हिन्दी');
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = withFewMarks(text);
        expect(/\p{M}{17}/u.test(shown)).toBe(false);
        expect(shown.replace(/\p{M}/gu, '')).toBe(text.replace(/\p{M}/gu, ''));
      }),
    );
  });
});

describe('text that is expensive to lay out', () => {
  test.each([
    ['letters of alternating directions', 'aא'.repeat(500)],
    ['direction signs', '\u202ea\u202c'.repeat(500)],
    ['one endless word of joined letters', 'ب'.repeat(1_500)],
    ['one endless word of stacked letters', 'กิ'.repeat(800)],
  ])('is detected: %s', (_what, text) => {
    expect(isHeavy(text)).toBe(true);
  });

  test.each([
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(200)],
    ['a long address', `https://example.com/${'a1'.repeat(5_000)}`],
    ['Chinese without a space', '漢字'.repeat(3_000)],
    ['Arabic', 'مرحبا بالعالم، كيف حالك؟ '.repeat(300)],
    ['Hebrew with English words', 'שלום world שלום לכולם '.repeat(100)],
    ['emoji', '👩‍👩‍👧‍👦 '.repeat(500)],
  ])('doesn’t include %s', (_what, text) => {
    expect(isHeavy(text)).toBe(false);
  });
});
