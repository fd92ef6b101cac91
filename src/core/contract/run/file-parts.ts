/** @file Divides the text of a file into parts, so that a question can have some of them if the whole file is too long. */
import { sha256Hex } from '../digest';
import { tokensOf, type QuestionFile } from './question-file';

/** Separates the pages of a text. */
export const PAGE_BREAK = '\f';
/** Maximum length of a part of a text without pages, in UTF-16 units. Parts end at the end of a line if possible. */
const SECTION = 8000;

/** The first and the last part to keep, 0-based. */
export type PartRange = readonly [first: number, last: number];

/** The pages of a text, or parts of similar length if it has no pages. Joined, they are the text. */
export function partsOf(text: string): readonly string[] {
  if (text.includes(PAGE_BREAK)) return text.split(PAGE_BREAK);
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const lineEnd = text.lastIndexOf('\n', at + SECTION);
    const end = at + SECTION >= text.length ? text.length : lineEnd > at ? lineEnd + 1 : at + SECTION;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** The name of the parts of a file. */
export function unitOf({ text }: QuestionFile): 'page' | 'part' {
  return text.includes(PAGE_BREAK) ? 'page' : 'part';
}

/** A file with only some of its parts. */
export function withParts(whole: QuestionFile, [first, last]: PartRange): QuestionFile {
  const parts = partsOf(whole.text);
  if (first <= 0 && last >= parts.length - 1) return whole;
  const unit = unitOf(whole);
  const text = parts.slice(first, last + 1).join(unit === 'page' ? PAGE_BREAK : '');
  const range = first === last ? `${unit} ${first + 1}` : `${unit}s ${first + 1}–${last + 1}`;
  const part = [whole.part ?? '', `${range} of ${parts.length}`].filter(Boolean).join(', ');
  return { ...whole, text, hash: sha256Hex(text), part };
}

/** The first parts of a file that have at most `tokens` tokens together, but at least one part. */
export function partsWithin(whole: QuestionFile, tokens: number): PartRange {
  let [low, high] = [0, partsOf(whole.text).length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensOf(withParts(whole, [0, middle])) <= tokens) low = middle;
    else high = middle - 1;
  }
  return [0, low];
}
