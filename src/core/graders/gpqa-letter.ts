/**
 * @file Finds the chosen letter in an answer to a task of GPQA, by the rules of the published code of arXiv 2512.04388. The first
 * pattern with a match decides. `<answer>` tags have no effect.
 */

const LETTER = String.raw`(?:([A-D])|\(([A-D])\))`;
/**
 * The text after a letter that stands alone: a space, a period, a comma, a colon or the end of the response. Before this text,
 * `**` may end bold text.
 */
const END = String.raw`(?:\*\*)?(?:[.,: ]|(?=\n?$))`;
/** A letter that stands alone, perhaps in bold. It comes after a space or at the start, and `END` follows. */
const ALONE = String.raw`(?:^| )(?:\*\*)?${LETTER}${END}`;
const ANSWER = anyCase('answer');
const FINAL_ANSWER = anyCase('final answer');

/** The patterns in order of preference. If a pattern matches several times, the last match counts. */
const PATTERNS: readonly RegExp[] = [
  String.raw`${FINAL_ANSWER}${anyCase(' is')}:?\s*${LETTER}\.?\s?I hope`,
  String.raw`${FINAL_ANSWER}[^\n]{0,100}?\s+is:?\s*${LETTER}`,
  String.raw`${ANSWER}:[^\n]{0,50}?${ALONE}`,
  String.raw`${ANSWER}[^\n]{0,50}?${ALONE}`,
  String.raw`^(?:\*\*)?${LETTER}${END}`,
  String.raw`\n(?:\*\*)?${LETTER}${END}`,
  ALONE,
  // Any letter from A to D, even in a word. For example, “B) Carbon” is read as C.
  LETTER,
].map((pattern) => new RegExp(pattern, 'g'));

/** The chosen letter, from A to D. `null`: the response has none of these letters in upper case. */
export function gpqaLetter(response: string): string | null {
  for (const pattern of PATTERNS) {
    let last: RegExpExecArray | null = null;
    for (const match of response.matchAll(pattern)) last = match;
    if (last) return last[1] ?? last[2] ?? null;
  }
  return null;
}

/**
 * A pattern that matches a text in upper or lower case. The flag `i` would apply to the whole pattern, and not every browser
 * supports flags for a part of a pattern.
 */
function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
