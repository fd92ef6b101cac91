/**
 * @file Text as a page can show it cheaply. Shaping and line breaking cost the square of a paragraph's length for some
 * scripts and signs (measured in Chromium: 30,000 combining marks on one letter block for seconds), so such text is shown
 * with fewer marks and in short pieces. What is stored and copied stays whole.
 */

/** More marks on one letter than any language needs; the stream-safe format of Unicode (UAX #15) allows 30. */
const MARKS = /(\p{M}{16})\p{M}+/gu;

/** The text with at most 16 combining marks on a letter. */
export function withFewMarks(text: string): string {
  return text.replace(MARKS, '$1');
}

const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe';
/** A change from a right-to-left letter to another, or a sign that sets a direction. */
const TURN = new RegExp(`[${RIGHT_TO_LEFT}](?=[^\\s${RIGHT_TO_LEFT}])|[\\u202a-\\u202e\\u2066-\\u2069]`, 'gu');
const MOST_TURNS = 300;
/** A word longer than any word, of letters that are joined or stacked; scripts that need no spaces are cheap. */
const ENDLESS_WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[^\s\p{ASCII}\u0080-\u024f]){1000}/u;

/** Whether one paragraph of this text is dear to lay out. Linear in its length. */
export function isHeavy(text: string): boolean {
  if (ENDLESS_WORD.test(text)) return true;
  let turns = 0;
  for (const _ of text.matchAll(TURN)) if (++turns > MOST_TURNS) return true;
  return false;
}

/** UTF-16 units of one piece of plain text. */
const PIECE = 2_000;

/** Cuts a text into pieces that are cheap to lay out: at a line break where there is one, else at a space. */
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
