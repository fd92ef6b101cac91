/**
 * @file Searches the texts of one chunk, a group of saved runs. Words are found in the chunk's segment, which
 * is an index of words. A phrase is searched only in the texts that contain all its words. The latest results
 * are cached.
 */
import { findInSegment, hasBit, type Segment } from './segment';

/** Number of texts that are stored and read together. */
export const TEXT_BLOCK = 64;
/** Maximum number of cached words, and of cached phrases. An entry takes about 500 bytes. */
const KEPT = 64;

/** Reads blocks of texts. */
export type ReadTexts = (blocks: readonly number[]) => Promise<readonly (readonly string[])[]>;

interface PhraseRows {
  /**
   * The rows whose text may contain the phrase, as bits. In a block that was searched, these are exactly the
   * rows whose text contains the phrase.
   */
  readonly possible: Uint32Array;
  /** By block: 1 if its texts were searched. */
  readonly searched: Uint8Array;
}

export class SealedTexts {
  readonly #segment: Segment;
  readonly #read: ReadTexts;
  readonly #words = new Map<string, Uint32Array>();
  readonly #phrases = new Map<string, PhraseRows>();

  constructor(segment: Segment, read: ReadTexts) {
    this.#segment = segment;
    this.#read = read;
  }

  /** The rows whose text contains this word, as bits. */
  find(word: string): Uint32Array {
    return kept(this.#words, word, () => findInSegment(this.#segment, word));
  }

  /** The rows whose text may contain this phrase. `search` removes the rows whose text does not contain it. */
  findPhrase(phrase: string): PhraseRows {
    return kept(this.#phrases, phrase, () => {
      const parts = phrase.split(' ');
      const all = parts.map((part, index) =>
        findInSegment(this.#segment, part, { begins: index > 0, ends: index < parts.length - 1 }),
      );
      const possible = all.reduce((both, bits) => both.map((bit, index) => bit & (bits[index] ?? 0)));
      return { possible, searched: new Uint8Array(Math.ceil(this.#segment.rows / TEXT_BLOCK)) };
    });
  }

  /** Searches the texts of some blocks for phrases, and updates the results of `findPhrase`. */
  async search(phrases: readonly string[], blocks: readonly number[]): Promise<void> {
    const read = await this.#read(blocks);
    for (const phrase of phrases) {
      const { possible, searched } = this.findPhrase(phrase);
      for (const [index, block] of blocks.entries()) {
        if (searched[block] === 1) continue;
        searched[block] = 1;
        const texts = read[index] ?? [];
        for (let at = 0; at < TEXT_BLOCK; at++) {
          const row = block * TEXT_BLOCK + at;
          if (hasBit(possible, row) && !texts[at]?.includes(phrase)) clearBit(possible, row);
        }
      }
    }
  }
}

/**
 * The blocks that have a selected row, and that must still be searched for one or more of the phrases.
 * @param base index of the chunk's first row in `selection`
 */
export function unsearchedBlocks(phrases: readonly PhraseRows[], selection: Uint8Array, base: number): number[] {
  const blocks: number[] = [];
  const count = phrases[0]?.searched.length ?? 0;
  for (let block = 0; block < count; block++) {
    const first = base + block * TEXT_BLOCK;
    const isUnsearched = phrases.some(({ searched }) => searched[block] === 0);
    if (isUnsearched && selection.subarray(first, first + TEXT_BLOCK).includes(1)) blocks.push(block);
  }
  return blocks;
}

function kept<Value>(values: Map<string, Value>, key: string, find: () => Value): Value {
  const value = values.get(key) ?? find();
  values.delete(key);
  values.set(key, value);
  const [oldest] = values.keys();
  if (values.size > KEPT && oldest !== undefined) values.delete(oldest);
  return value;
}

function clearBit(bits: Uint32Array, row: number): void {
  bits[row >> 5] = (bits[row >> 5] ?? 0) & ~(1 << (row & 31));
}
