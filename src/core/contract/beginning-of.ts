/** @file Truncates a text between graphemes. A grapheme is what a reader sees as one character, such as a flag or an emoji. */

/** Created on first use, because most texts are too short to need it. */
let segmenter: Intl.Segmenter | null = null;

/**
 * The beginning of a text, with at most `length` UTF-16 units. The cut is between two graphemes. If the first grapheme is longer
 * than `length`, the cut is between two code points of this grapheme.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // Whether a grapheme ends at `length` depends on the code point after `length`, which has up to two units.
  const end = segmenter.segment(text.slice(0, length + 2)).containing(length)?.index ?? 0;
  if (end > 0) return text.slice(0, end);
  const beginning = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
