import { describe, expect, it } from 'vitest';
import { Detokenizer } from '../../../../src/platform/engine/transformers/detokenizer';

/** Decodes tokens that are bytes. */
const bytes = (tokens: bigint[]) => new TextDecoder().decode(Uint8Array.from(tokens, Number));
/** Decodes tokens that are words. Drops the space before the first word, as SentencePiece does. */
const words = (tokens: bigint[]) =>
  tokens
    .map((token) => ` word${token}`)
    .join('')
    .slice(1);

/** @param together number of tokens that are read at once */
function pieces(detokenizer: Detokenizer, tokens: Iterable<number>, together = 1): string[] {
  const read = [...tokens].map((token, index) => {
    detokenizer.push(BigInt(token));
    return (index + 1) % together === 0 ? detokenizer.read() : '';
  });
  return [...read, detokenizer.flush()];
}

describe('text from tokens', () => {
  it.each(['plain', 'Grüße', '日本語', 'a🎻b', ''])(
    'does not depend on the number of tokens that are read at once: %s',
    (text) => {
      for (const together of [1, 2, 3, 7]) {
        expect(pieces(new Detokenizer(bytes), new TextEncoder().encode(text), together).join('')).toBe(text);
      }
    },
  );

  it('never shows part of a character', () => {
    expect(pieces(new Detokenizer(bytes), new TextEncoder().encode('aé'))).toEqual(['a', '', 'é', '']);
  });

  it('keeps the space between words that are decoded separately', () => {
    expect(pieces(new Detokenizer(words), [1, 2, 3])).toEqual(['word1', ' word2', ' word3', '']);
    expect(pieces(new Detokenizer(words), [1, 2, 3], 2)).toEqual(['', 'word1 word2', '', ' word3']);
  });

  it('is returned only once, even if `read` is called twice', () => {
    const detokenizer = new Detokenizer(bytes);
    detokenizer.push(0x61n);
    expect([detokenizer.read(), detokenizer.read(), detokenizer.flush()]).toEqual(['a', '', '']);
  });

  it('ends with U+FFFD if the last character is incomplete', () => {
    expect(pieces(new Detokenizer(bytes), [0x61, 0xe6, 0x97])).toEqual(['a', '', '', '\uFFFD']);
  });
});
