/**
 * @file Finds the chosen letter as the paper's published code does for GPQA: patterns in a fixed order, of which the first one
 * with a match decides. There are no answer tags.
 */

const LETTER = String.raw`(?:([A-D])|\(([A-D])\))`;
/** A letter that stands alone, perhaps in bold: after a space, and before a space, a punctuation mark or the end. */
const END = String.raw`(?:\*\*)?(?:[.,: ]|(?=\n?$))`;
const ALONE = String.raw`(?:^| )(?:\*\*)?${LETTER}${END}`;
const ANSWER = anyCase('answer');
const FINAL_ANSWER = anyCase('final answer');

/** In order of preference. If a pattern matches several times, the last match counts. */
const PATTERNS: readonly RegExp[] = [
  String.raw`${FINAL_ANSWER}${anyCase(' is')}:?\s*${LETTER}\.?\s?I hope`,
  String.raw`${FINAL_ANSWER}[^\n]{0,100}?\s+is:?\s*${LETTER}`,
  String.raw`${ANSWER}:[^\n]{0,50}?${ALONE}`,
  String.raw`${ANSWER}[^\n]{0,50}?${ALONE}`,
  String.raw`^(?:\*\*)?${LETTER}${END}`,
  String.raw`\n(?:\*\*)?${LETTER}${END}`,
  ALONE,
  // Any letter A to D, even in a word: “B) Carbon” reads as C.
  LETTER,
].map((pattern) => new RegExp(pattern, 'g'));

/** The chosen letter, A to D. `null`: the response has none of these letters. */
export function gpqaLetter(response: string): string | null {
  for (const pattern of PATTERNS) {
    let last: RegExpExecArray | null = null;
    for (const match of response.matchAll(pattern)) last = match;
    if (last) return last[1] ?? last[2] ?? null;
  }
  return null;
}

/**
 * A pattern that matches a text in upper or lower case. The flag `i` would change the whole pattern, and not every browser
 * supports flags for a part of a pattern.
 */
function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
