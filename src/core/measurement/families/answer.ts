/** @file Reads the final answer of a text, compares it with the right answer in the form that the question asks for, and makes wrong answers. */
import { randomIndex, type Random } from '../../contract';
import { lastTagged } from '../../graders/answer-tags';
import { extractAnswer, sameAnswer } from '../../graders/mathematics';
import { finalText, spellings } from '../../graders/text-match';
import { compare, readRational } from '../../tasks/rational';
import { pickOf } from './draw';

/**
 * How answers are compared. `number`: by value. `list`: words and numbers in order. `set`: words and numbers in any order. `text`:
 * letters and digits, without spaces and separators.
 */
export type AnswerForm = 'number' | 'list' | 'set' | 'text';

/** Only this many UTF-16 units at the end of a text are searched. */
const SEARCHED = 20_000;

/** “Answer:” at the start of a line, with or without Markdown marks. The mathematics grader would read only numbers after it. */
const LABELLED = /^[\s#>*_`-]*(?:the\s+)?(?:final\s+)?answer[\s*_`]*:(.*)$/i;

/** The final answer of a text. `null`: it states none. */
export function finalAnswer(text: string, form: AnswerForm): string | null {
  const end = text.slice(-SEARCHED);
  const stated = lastTagged(end) ?? labelled(end);
  return stated ?? (form === 'number' ? extractAnswer(end) : null) ?? finalText(end);
}

/** The rest of the last line that begins with “Answer:”, or the line after it if nothing follows the label. */
function labelled(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:```|~~~)\w*$/.test(line));
  const at = lines.findLastIndex((line) => LABELLED.test(line));
  if (at < 0) return null;
  const rest = LABELLED.exec(lines[at] ?? '')?.[1]?.replace(/^[\s*_`]+/, '') ?? '';
  return rest === '' ? (lines[at + 1] ?? null) : rest;
}

export function isSameAnswer(form: AnswerForm, reference: string, answer: string): boolean {
  switch (form) {
    case 'number':
      return isSameNumber(reference, answer);
    case 'list':
      return readings(answer, tokens).includes(tokens(reference));
    case 'set':
      return readings(answer, sortedTokens).includes(sortedTokens(reference));
    case 'text':
      return readings(answer, compact).includes(compact(reference));
    default:
      return form satisfies never;
  }
}

/** Plain numbers and fractions are compared here. For other notations, such as `1,234` and `x = 5`, the mathematics grader decides. */
function isSameNumber(reference: string, answer: string): boolean {
  const expected = readRational(reference);
  const written = spellings(answer);
  const read = written.map((each) => readRational(each.replace(/\.$/, ''))).find((each) => each !== null);
  if (expected && read) return compare(expected, read) === 0;
  return written.some((each) => sameAnswer(reference, each));
}

/** The spellings of an answer as `read` normalizes them. */
function readings(answer: string, read: (text: string) => string): readonly string[] {
  return spellings(withoutLatex(answer)).map(read);
}

function withoutLatex(text: string): string {
  return text
    .replace(/\\(?:text|textbf|mathrm|mathbf|operatorname)\s*\{([^{}]*)\}/g, '$1')
    .replace(/\\boxed\s*\{(.*)\}/, '$1')
    .replace(/\\[{}]/g, ' ')
    .replace(/\\[,;: ]/g, ' ')
    .replace(/\u2212/g, '-');
}

/** Words and numbers, in order. Numbers are written without leading and trailing zeros. */
function tokenList(text: string): readonly string[] {
  const found = text.toLowerCase().match(/-?[\p{L}\p{N}]+(?:[.:/][\p{L}\p{N}]+)*/gu) ?? [];
  return found
    .filter((token) => token !== 'and')
    .map((token) => (/^-?\d+(?:\.\d+)?$/.test(token) ? String(Number(token)) : token));
}

const tokens = (text: string) => tokenList(text).join(' ');

const sortedTokens = (text: string) => [...new Set(tokenList(text))].toSorted().join(' ');

/** Letters, digits, points and signs. The base of a number, as in `1A_{12}`, is left out. */
function compact(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?:_\{?\d+\}?|\(base \d+\)|\bbase \d+)[\s$.]*$/, '')
    .replace(/[^\p{L}\p{N}.+-]|\.$/gu, '');
}

/** Changes a right answer into one that is probably wrong, as a careless worker would. */
export function nearMiss(form: AnswerForm, reference: string, random: Random): string {
  switch (form) {
    case 'number':
      return offNumber(reference, random);
    case 'list':
      return offList(reference.split(', '), random).join(', ');
    case 'set':
      return withoutOne(reference.split(', '), random).join(', ');
    case 'text':
      return swapped([...reference], random).join('');
    default:
      return form satisfies never;
  }
}

/** The number with a small difference, or with two digits exchanged. */
function offNumber(text: string, random: Random): string {
  if (random() < 0.3) return swapped([...text], random).join('');
  const places = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  const digits = BigInt(text.replace('.', ''));
  const changed = digits + BigInt(pickOf([-10, -2, -1, 1, 2, 10], random));
  if (places === 0) return String(changed);
  const padded = String(changed).padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

function offList(items: readonly string[], random: Random): readonly string[] {
  const at = randomIndex(random, items.length);
  const isNumber = /^-?\d+$/.test(items[at] ?? '');
  if (!isNumber || random() < 0.5) return swapped(items, random);
  return items.map((item, index) => (index === at ? offNumber(item, random) : item));
}

/** Exchanges two neighbours. */
function swapped(items: readonly string[], random: Random): readonly string[] {
  if (items.length < 2) return items;
  const at = randomIndex(random, items.length - 1);
  return [...items.slice(0, at), ...items.slice(at, at + 2).toReversed(), ...items.slice(at + 2)];
}

function withoutOne(items: readonly string[], random: Random): readonly string[] {
  const at = randomIndex(random, items.length);
  return items.length < 2 ? items : items.filter((_, index) => index !== at);
}
