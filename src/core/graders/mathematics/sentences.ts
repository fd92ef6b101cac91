/** @file Splits a response into sentences. */
import { FORMULA, maskFormulas, type Masked } from './formulas';
import { BOLD } from './plain-text';

/** Only this many sentences, and this many UTF-16 units of each, are searched. This limits the time for hostile text. */
const MOST_SENTENCES = 400;
const LONGEST_SENTENCE = 1_500;

/** A sentence with its formulas, see `Masked`. Bold text is between `BOLD`. */
export interface Sentence extends Masked {
  /** Number of blank lines before the sentence. */
  readonly paragraph: number;
  readonly isHeading: boolean;
}

/**
 * Splits a text into sentences. Each line of a list is at least one sentence. Markup, numbers of list items, and program code
 * are removed.
 */
export function sentencesOf(text: string): Sentence[] {
  const { text: masked, formulas } = maskFormulas(withoutDrawings(text).replace(/<<[^<>\n]*>>/g, ''));
  const sentences: Sentence[] = [];
  let used = 0;
  let paragraph = 0;
  let isCode = false;
  for (const line of masked.split('\n')) {
    const fence = /^\s*(?:```|~~~)\s*(\w*)/.exec(line);
    if (fence) isCode = !isCode && !/^(?:|text|txt|plaintext|math|latex|tex|markdown|md)$/i.test(fence[1] ?? '');
    else if (line.trim() === '') paragraph++;
    const isHeading = /^\s*#{1,6}\s/.test(line) || STEP.test(line);
    for (const part of fence ? [] : splitLine(withoutMarkup(line))) {
      used += part.split(FORMULA).length - 1;
      const end = part.slice(-LONGEST_SENTENCE);
      const count = end.split(FORMULA).length - 1;
      if (!isCode) sentences.push({ text: end, formulas: formulas.slice(used - count, used), paragraph, isHeading });
    }
  }
  return sentences.slice(-MOST_SENTENCES);
}

/** Removes drawings in Asymptote, which solutions of competition problems contain. */
function withoutDrawings(text: string): string {
  const [first = '', ...others] = text.split('[asy]');
  return first + others.map((part) => part.split('[/asy]').at(-1) ?? '').join(' ');
}

const STEP = /^[\s#>*_]*(?:step|part)\s+\d+\b/i;

/** Removes the bullet, the number or the “Step 1:” at the start, and emphasis except bold text. */
function withoutMarkup(line: string): string {
  return line
    .replace(/`/g, '')
    .replace(/\*\*|__/g, BOLD)
    .replace(/^[\s>#]*(?:[-•*+–]\s+)?/, '')
    .replace(/^(\ue001?)\(?(?:\d{1,2}|[a-z])[.)](?=\ue001?\s+\S)/i, '$1')
    .replace(/^(\ue001?\s*)step\s+\d+\s*[:.)-]?/i, '$1')
    .replace(/(?<=^|[\s(])\*(?=[^\s*])([^*]{1,80})\*(?=$|[\s.,;:!?)])/g, '$1');
}

const ABBREVIATION =
  /(?<![a-z])(?:e\.g|i\.e|approx|vs|etc|mr|mrs|ms|dr|st|no|a\.m|p\.m|eq|sq|ft|lbs?|oz|hrs?|mins?|cf)$/i;

/** Splits a line after periods, question marks and exclamation marks. */
function splitLine(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(/[.!?]{1,9}(?=[\s\ue001"”')\]]|$)|[。！？]/gu)) {
    const isEnd = index + mark.length >= line.trimEnd().length;
    if (mark === '.' && !isEnd && ABBREVIATION.test(line.slice(Math.max(0, index - 8), index))) continue;
    parts.push(line.slice(start, index + mark.length));
    start = index + mark.length;
  }
  parts.push(line.slice(start));
  return parts.filter((part) => /[\p{L}\p{N}\ue000]/u.test(part)).map((part) => part.trim());
}
