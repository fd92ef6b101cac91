/** @file Cuts a text to a length without splitting what a reader sees as one character, such as a flag or a joined emoji. */

/** Created when it is first needed, because most texts are short. */
let segmenter: Intl.Segmenter | null = null;

/**
 * The beginning of a text, at most `length` UTF-16 units. It ends between two characters. If the first character alone is longer
 * than `length`, it is split between two code points.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // Whether a character ends at `length` depends only on the next code point, which has at most two units.
  const end = segmenter.segment(text.slice(0, length + 2)).containing(length)?.index ?? 0;
  if (end > 0) return text.slice(0, end);
  const beginning = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
