import { describe, expect, it } from 'vitest';
import { Detokenizer } from '../../../../src/platform/engine/transformers/detokenizer';

/** Each token is a byte. */
const bytes = (tokens: bigint[]) => new TextDecoder().decode(Uint8Array.from(tokens, Number));
/** Each token is a word, and the space before the first one is dropped, as SentencePiece does. */
const words = (tokens: bigint[]) =>
  tokens
    .map((token) => ` word${token}`)
    .join('')
    .slice(1);

function pieces(detokenizer: Detokenizer, tokens: Iterable<number>): string[] {
  return [...[...tokens].map((token) => detokenizer.push(BigInt(token))), detokenizer.flush()];
}

describe('text from tokens', () => {
  it.each(['plain', 'Grüße', '日本語', 'a🎻b', ''])('is the same in pieces as in one: %s', (text) => {
    expect(pieces(new Detokenizer(bytes), new TextEncoder().encode(text)).join('')).toBe(text);
  });

  it('never shows part of a character', () => {
    expect(pieces(new Detokenizer(bytes), new TextEncoder().encode('aé'))).toEqual(['a', '', 'é', '']);
  });

  it('keeps the space between words that are decoded apart', () => {
    expect(pieces(new Detokenizer(words), [1, 2, 3])).toEqual(['word1', ' word2', ' word3', '']);
  });

  it('gives out at the end what never became a character', () => {
    expect(pieces(new Detokenizer(bytes), [0x61, 0xe6, 0x97])).toEqual(['a', '', '', '\uFFFD']);
  });
});
