/** @file Finds the formulas in a response, and tells dollar signs around a formula from dollar signs before a price. */

/** Stands for a formula in the text of `Masked`. It is a private-use character, which `normalized` removes from responses. */
export const FORMULA = '\ue000';

/** A text whose formulas are replaced by `FORMULA`. A displayed formula is on a line of its own. */
export interface Masked {
  readonly text: string;
  /** The content of each formula, in the order of the text. */
  readonly formulas: readonly string[];
}

/** Finds formulas between `$`, `$$`, `\(` and `\)`, or `\[` and `\]`, in linear time. */
export function maskFormulas(text: string): Masked {
  const formulas: string[] = [];
  const closings = new Closings(text);
  let masked = '';
  let at = 0;
  for (const { index, 0: opening } of text.matchAll(/\$\$|(?<!\\)\$|\\[([]/g)) {
    if (index < at) continue;
    const from = index + opening.length;
    const end = opening === '$' ? inlineEnd(text, from) : closings.after(from, opening);
    if (end === null) continue;
    const content = text.slice(from, end).trim();
    if (content === '') continue;
    formulas.push(content);
    const isDisplayed = opening === '$$' || opening === '\\[';
    masked += text.slice(at, index) + (isDisplayed ? `\n${FORMULA}\n` : FORMULA);
    at = end + opening.length;
  }
  return { text: masked + text.slice(at), formulas };
}

const CLOSING_OF: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' };

/** Finds closing delimiters. If a text has no further one, this is remembered, so that the text is not searched again. */
class Closings {
  readonly #text: string;
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  after(from: number, opening: string): number | null {
    const closing = CLOSING_OF[opening];
    if (closing === undefined || this.#missing.has(closing)) return null;
    const end = this.#text.indexOf(closing, from);
    if (end < 0) this.#missing.add(closing);
    return end < 0 ? null : end;
  }
}

/**
 * Index of the dollar sign that closes a formula, on the same line. `null`: the opening dollar sign belongs to a price, as in
 * “$16 + $2 = $18”. As in Pandoc, no digit may follow the second dollar sign. A formula that begins like a price has spaces on
 * both sides or on none, and no words as in “$5, and tea costs 3$”.
 */
function inlineEnd(text: string, from: number): number | null {
  const rest = /(?:\\.|[^$\n\\])*/y;
  rest.lastIndex = from;
  const content = rest.exec(text)?.[0] ?? '';
  const end = from + content.length;
  if (text.charAt(end) !== '$' || /\d/.test(text.charAt(end + 1))) return null;
  // The opening dollar sign ends a price, as in “5$, so”.
  if (/\d/.test(text.charAt(from - 2)) && /^[\s,.;:)]/.test(content)) return null;
  const isLikePrice = /^[ \d]/.test(content);
  if (isLikePrice && content.startsWith(' ') !== content.endsWith(' ')) return null;
  return /[-+*/×÷=]\s*$/.test(content) || (isLikePrice && hasWords(content)) ? null : end;
}

function hasWords(content: string): boolean {
  const withoutCommands = content.replace(/\\[a-zA-Z]+\s*(?:\{[^{}]*\})?|\b(?:and|or|mod)\b/g, ' ');
  return /[a-z]{3}/.test(withoutCommands);
}
