/**
 * @file Helpers that the parsers of puzzles share. The helpers normalize text from users and models. They also bound the
 * length of the text, so that every parser runs in bounded time.
 */
import { randomIndex, type Random } from '../contract';

/** Maximum length of a question, in characters. Longer texts are not puzzles. */
const QUESTION_LIMIT = 4_000;
/** Only this many characters at the end of an answer are read. */
const ANSWER_LIMIT = 8_000;

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/[\u2212\u2010-\u2015\u2796]/g, '-'],
  [/[\u00d7\u22c5\u00b7\u2217\u2715\u2716]/g, ' * '],
  [/[\u00f7\u2215\u2044\u2797]/g, '/'],
  [/\u2795/g, '+'],
  [/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"'],
  [/[\u2018\u2019]/g, "'"],
  [/\\[dt]?frac\s{0,3}\{([^{}]{1,40})\}\s{0,3}\{([^{}]{1,40})\}/g, '($1)/($2)'],
  [/\\[dt]?frac\s{0,3}(\d)(\d)/g, '($1)/($2)'],
  [/\\(?:times|cdot|ast)(?![a-z])/g, ' * '],
  [/\\div(?![a-z])/g, ' / '],
  [/\\(?:lt|le)(?![a-z])/g, ' < '],
  [/\\(?:gt|ge)(?![a-z])/g, ' > '],
  [/\\(?:left|right|boxed|text|mathrm|mathbf|displaystyle)(?![a-z])/g, ' '],
  [/\\[a-z]{1,20}/g, ' '],
  [/\\./g, ' '],
  [/\*\*|__|[`${}]/g, ' '],
  [/^[ \t]{0,8}[-*\u2022][ \t]/gm, ' '],
  [/\b(?:multiplied by|times)\b/gi, '*'],
  [/\bdivided by\b/gi, '/'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
];

/** Replaces typographic, LaTeX and spelled-out operators with plain ones and removes Markdown. */
function tidy(text: string): string {
  return REPLACEMENTS.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text);
}

/** Tidies a question, or returns `null` if it is too long to be a puzzle. */
export function tidyQuestion(text: string): string | null {
  return text.length > QUESTION_LIMIT ? null : tidy(text);
}

/** Tidies the end of an answer. */
export function tidyAnswer(text: string): string {
  return tidy(text.slice(-ANSWER_LIMIT));
}

/**
 * The text after the last "answer:" or "result:" of a tidied text. "=" or "is" may replace the colon. `null`
 * if there is no such word, or no text after it.
 */
export function afterAnswer(plain: string): string | null {
  let found: string | null = null;
  for (const match of plain.matchAll(/\b(?:answer|result)[ \t]{0,3}(?::|=|\bis\b)/gi)) {
    found = plain.slice(match.index + match[0].length);
  }
  return found !== null && found.trim() !== '' ? found : null;
}

/** Joins items as in "a, b and c". */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1] ?? ''}`;
}

export function pick<T>(items: readonly [T, ...T[]], random: Random): T {
  return items[randomIndex(random, items.length)] ?? items[0];
}

interface ListedText {
  readonly text: string;
  readonly at: number;
}

/**
 * The longest list in a text: matches of `pattern` separated only by commas, semicolons, "&", "and", "then", "<", ">" and white
 * space. If several lists have the same length, returns the first of them.
 * @param pattern must be global
 */
export function longestList(plain: string, pattern: RegExp): ListedText[] {
  let best: ListedText[] = [];
  let current: ListedText[] = [];
  let end = -1;
  for (const match of plain.matchAll(pattern)) {
    const between = end < 0 ? '' : plain.slice(end, match.index);
    const joined = end >= 0 && between.length <= 12 && /^(?:[\s,;&<>]|\band\b|\bthen\b)+$/i.test(between);
    if (!joined) current = [];
    current.push({ text: match[0], at: match.index });
    if (current.length > best.length) best = current;
    end = match.index + match[0].length;
  }
  return best;
}
