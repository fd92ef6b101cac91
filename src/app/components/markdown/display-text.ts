/**
 * @file Prepares text for cheap layout. Shaping and line breaking are quadratic in a paragraph's length for some
 * scripts and characters (measured in Chromium: 30,000 combining marks on one letter block for seconds). Such text is shown
 * with fewer marks and in short pieces. Stored and copied text stays complete.
 */

/** More marks on one letter than any language needs. Unicode's stream-safe format (UAX #15) allows 30. */
const MARKS = /(\p{M}{16})\p{M}+/gu;

/** The text with at most 16 combining marks on a letter. */
export function withFewMarks(text: string): string {
  return text.replace(MARKS, '$1');
}

const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe';
/** A change from right-to-left to left-to-right text, or a character that sets the direction. */
const TURN = new RegExp(`[${RIGHT_TO_LEFT}](?=[^\\s${RIGHT_TO_LEFT}])|[\\u202a-\\u202e\\u2066-\\u2069]`, 'gu');
const MOST_TURNS = 300;
/** A word longer than any real word, in a script with joined or stacked letters. Scripts without spaces are cheap. */
const ENDLESS_WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[^\s\p{ASCII}\u0080-\u024f]){1000}/u;

/** Whether one paragraph of this text is expensive to lay out. Linear in its length. */
export function isHeavy(text: string): boolean {
  if (ENDLESS_WORD.test(text)) return true;
  let turns = 0;
  for (const _ of text.matchAll(TURN)) if (++turns > MOST_TURNS) return true;
  return false;
}

/** UTF-16 units of one piece of plain text. */
const PIECE = 2_000;

/** Splits a text into pieces that are cheap to lay out, at a line break if there is one, else at a space. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > PIECE) {
    const to = from + cutIn(text.slice(from, from + PIECE));
    pieces.push(text.slice(from, to));
    from = to;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function cutIn(piece: string): number {
  const half = piece.length / 2;
  for (const sign of ['\n', ' ']) {
    const at = piece.lastIndexOf(sign) + 1;
    if (at > half) return at;
  }
  return /[\uD800-\uDBFF]$/.test(piece) ? piece.length - 1 : piece.length;
}
