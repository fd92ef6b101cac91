/**
 * @file Indexes the words in the texts of some runs: for each word, the rows in which it occurs. A row is the text of one run. A
 * word is the text between two spaces or line breaks. A search also finds parts of words, in any language. A segment never
 * changes. If the text of a run changes, another segment indexes the new text.
 */

/** Texts indexed by their words. Row numbers start at 0 in each segment. A segment has fewer than 65,536 rows. */
export interface Segment {
  readonly rows: number;
  /** All distinct words, the most frequent first, each followed by a line break. */
  readonly words: string;
  /** For each word, the index in `words` at which it starts. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** The number of words whose rows are in `bitmaps`. These words come first. */
  readonly frequent: number;
  /** For each frequent word, `ceil(rows / 32)` numbers with one bit for each row. */
  readonly bitmaps: Uint32Array<ArrayBuffer>;
  /** The rows of all other words, in the order of the words. */
  readonly lists: Uint16Array<ArrayBuffer>;
  /** For each of these other words, the index in `lists` after the word's last row. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

/**
 * A list takes 16 bits for each row that has the word. A bitmap takes 1 bit for each row of the segment. A word therefore gets a
 * bitmap if more than 1 in 16 rows have it.
 */
const BITS_IN_LIST = 16;
/** Number of texts between two pauses. */
const SLICE = 256;

/**
 * Builds a segment from texts that `foldText` has normalized, one for each row.
 * @param pause awaited regularly, so that other work is not delayed
 */
export async function buildSegment(texts: readonly string[], pause: () => Promise<void>): Promise<Segment> {
  const found = new Map<string, number[]>();
  for (const [row, text] of texts.entries()) {
    if (row % SLICE === SLICE - 1) await pause();
    for (const word of text.split(/[ \n]/)) {
      const rows = found.get(word);
      if (!rows) found.set(word, [row]);
      else if (rows.at(-1) !== row) rows.push(row);
    }
  }
  found.delete('');
  await pause();
  const entries = [...found].sort(([, one], [, other]) => other.length - one.length);
  await pause();
  return pack(entries, texts.length);
}

function pack(entries: readonly (readonly [string, readonly number[]])[], rows: number): Segment {
  const least = rows / BITS_IN_LIST;
  const rare = entries.findIndex(([, { length }]) => length <= least);
  const frequent = rare === -1 ? entries.length : rare;
  const width = widthOf(rows);
  const bitmaps = new Uint32Array(frequent * width);
  const starts = new Uint32Array(entries.length);
  const ends = new Uint32Array(entries.length - frequent);
  const lists = new Uint16Array(entries.slice(frequent).reduce((sum, [, { length }]) => sum + length, 0));
  let start = 0;
  let end = 0;
  for (const [index, [word, found]] of entries.entries()) {
    starts[index] = start;
    start += word.length + 1;
    if (index < frequent) {
      for (const row of found) setBit(bitmaps, row, index * width);
    } else {
      lists.set(found, end);
      end += found.length;
      ends[index - frequent] = end;
    }
  }
  // `join` creates one flat string, which is fastest to scan.
  const words = entries.map(([word]) => `${word}\n`).join('');
  return { rows, words, starts, frequent, bitmaps, lists, ends };
}

/** Where in a word the searched text must be: at the beginning, at the end, both, or anywhere. */
interface Place {
  readonly begins: boolean;
  readonly ends: boolean;
}

const ANYWHERE: Place = { begins: false, ends: false };

/** The rows whose texts have a word that contains `part`, as bits. @param part a text without spaces */
export function findInSegment(segment: Segment, part: string, place = ANYWHERE): Uint32Array<ArrayBuffer> {
  const { rows, words, starts, frequent, bitmaps, lists, ends } = segment;
  const width = widthOf(rows);
  const found = new Uint32Array(width);
  let missing = rows;
  let word = 0;
  for (let at = words.indexOf(part); at !== -1 && missing > 0; at = nextAfter(words, part, starts, word)) {
    word = wordAt(starts, at, word);
    if (!isAt(place, segment, word, part)) continue;
    if (word < frequent) {
      for (let index = 0; index < width; index++)
        found[index] = (found[index] ?? 0) | (bitmaps[word * width + index] ?? 0);
      // Counts all bits again, because several words may be in the same row.
      missing = rows - countBits(found);
    } else {
      const list = word - frequent;
      for (let index = list === 0 ? 0 : (ends[list - 1] ?? 0); index < (ends[list] ?? 0); index++) {
        const row = lists[index] ?? 0;
        if (hasBit(found, row)) continue;
        setBit(found, row, 0);
        missing -= 1;
      }
    }
  }
  return found;
}

function isAt({ begins, ends }: Place, { words, starts }: Segment, word: number, part: string): boolean {
  const start = starts[word] ?? 0;
  const end = (starts[word + 1] ?? words.length) - 1;
  return (!begins || words.startsWith(part, start)) && (!ends || words.startsWith(part, end - part.length));
}

/** The index of the next match in `words` after this word. -1: there is none. */
function nextAfter(words: string, part: string, starts: Uint32Array, word: number): number {
  const next = starts[word + 1];
  return next === undefined ? -1 : words.indexOf(part, next);
}

/**
 * The index of the word at offset `place` of `words`. Searches forward from the previous match (the word `from`),
 * because the next match is usually near.
 */
function wordAt(starts: Uint32Array, place: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < starts.length && (starts[low + step] ?? 0) <= place) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, starts.length);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low;
}

/** Number of 32-bit numbers that are needed for one bit per row. */
function widthOf(rows: number): number {
  return Math.ceil(rows / 32);
}

export function hasBit(bits: Uint32Array, row: number): boolean {
  return ((bits[row >> 5] ?? 0) & (1 << (row & 31))) !== 0;
}

function setBit(bits: Uint32Array, row: number, from: number): void {
  bits[from + (row >> 5)] = (bits[from + (row >> 5)] ?? 0) | (1 << (row & 31));
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
