/**
 * @file Prepares text for cheap layout. For some scripts and characters, the time for shaping and line breaking grows with the
 * square of a paragraph's length. In Chromium, 30,000 combining marks on one letter blocked the page for seconds (measured).
 * Therefore, text is shown with fewer marks and in short pieces. The stored text stays complete.
 */

/**
 * Matches more than 16 combining marks on one letter. No language needs that many. Unicode's stream-safe format (UAX #15)
 * allows 30.
 */
const MARKS = /(\p{M}{16})\p{M}+/gu;

/** The text with at most 16 combining marks on a letter. */
export function withFewMarks(text: string): string {
  return text.replace(MARKS, '$1');
}

const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe';
/** Matches a turn: a change from right-to-left to left-to-right text, or a character that sets the direction. */
const TURN = new RegExp(`[${RIGHT_TO_LEFT}](?=[^\\s${RIGHT_TO_LEFT}])|[\\u202a-\\u202e\\u2066-\\u2069]`, 'gu');
/** Maximum number of turns in a text that is cheap to lay out. */
const MOST_TURNS = 300;
/**
 * Matches 1,000 expensive characters in a row. Cheap characters are spaces, ASCII, Latin, Chinese, Japanese
 * and Korean.
 */
const ENDLESS_WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[^\s\p{ASCII}\u0080-\u024f]){1000}/u;

/** Whether this text is expensive to lay out as one paragraph. The check takes time linear in the length of the text. */
export function isHeavy(text: string): boolean {
  if (ENDLESS_WORD.test(text)) return true;
  let turns = 0;
  for (const _ of text.matchAll(TURN)) if (++turns > MOST_TURNS) return true;
  return false;
}

/** Maximum number of UTF-16 units in one piece of plain text. */
const PIECE = 2_000;

/**
 * Splits a text into pieces that are cheap to lay out. Of the next `PIECE` units, the second half is searched for
 * its last line break, or else its last space. The piece ends there, or else after `PIECE` units. No surrogate pair is
 * split.
 */
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
