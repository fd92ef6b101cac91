/**
 * @file Reads the options of a multiple-choice question from one value. Published tables have them as a list, as an object, or
 * as one text with lettered items.
 */
import { isRecord, parseJson } from '../../contract';
import { listOfTexts, textOf } from './row-fields';

export interface Options {
  readonly texts: readonly string[];
  /** The label of each option, such as `A` or `1`. `null`: the options have no labels. */
  readonly labels: readonly string[] | null;
  /** Index of the option that the value marks as right. `null`: none, or several. */
  readonly right: number | null;
}

/** `null`: the value has no options. Options without a text are left out. */
export function readOptions(value: unknown): Options | null {
  const options = typeof value === 'string' ? ofText(value) : ofValue(value);
  return options && options.texts.length > 0 ? options : null;
}

function ofText(text: string): Options | null {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return ofValue(parseJson(trimmed));
  if (!trimmed.startsWith('[')) return ofLetteredText(trimmed);
  const json = parseJson(trimmed);
  return json === undefined ? ofTexts(listOfTexts(trimmed)) : ofValue(json);
}

function ofValue(value: unknown): Options | null {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.length > 0 && items.every(isRecord) ? ofItems(items) : ofTexts(listOfTexts(items));
  }
  return isRecord(value) ? ofObject(value) : null;
}

/** Options as texts. Labels at their beginnings, as in `A)5`, `B)6`, are removed if all options have them in order. */
function ofTexts(texts: readonly string[] | null): Options | null {
  if (!texts) return null;
  for (const labels of [LETTERS, NUMBERS]) {
    const bare = texts.map((text, index) => withoutLabel(text, labels[index] ?? ''));
    if (bare.every((text) => text !== null)) return { texts: bare, labels: labels.slice(0, texts.length), right: null };
  }
  return { texts, labels: null, right: null };
}

const LETTERS = [...'ABCDEFGHIJ'];
const NUMBERS = LETTERS.map((_, index) => String(index + 1));

function withoutLabel(text: string, label: string): string | null {
  const trimmed = text.trim();
  const opened = trimmed.startsWith('(') ? 1 : 0;
  if (label === '' || trimmed.slice(opened, opened + label.length).toUpperCase() !== label) return null;
  const rest = trimmed.slice(opened + label.length).trimStart();
  const bare = /^[).:、．）]/u.test(rest) ? rest.slice(1).trim() : '';
  return bare === '' ? null : bare;
}

/** `a ) 38 , b ) 27.5 , c ) 30`, or one option a line. */
function ofLetteredText(text: string): Options | null {
  const lines = ofTexts(text.split(/[\n\r]+|\t+/).filter((line) => line.trim() !== ''));
  if (lines && lines.labels && lines.texts.length > 1) return lines;
  const starts: { readonly from: number; readonly after: number }[] = [];
  let searched = 0;
  for (const letter of LETTERS) {
    const found = new RegExp(`(?:^|[\\s,;])\\(?${letter}\\s?[).:]`, 'gi');
    found.lastIndex = searched;
    const match = found.exec(text);
    if (!match) break;
    starts.push({ from: match.index, after: found.lastIndex });
    searched = found.lastIndex;
  }
  if (starts.length < 2 || starts[0]?.from !== 0) return null;
  const texts = starts.map(({ after }, index) => bareItem(text.slice(after, starts[index + 1]?.from)));
  return texts.includes('') ? null : { texts, labels: LETTERS.slice(0, texts.length), right: null };
}

function bareItem(text: string): string {
  return text.trim().replace(/[,;]$/, '').trim();
}

const TEXT_KEYS = [
  'text',
  'texts',
  'choices',
  'options',
  'content',
  'value',
  'answer',
  'option',
  'choice',
  'option_text',
];
const LABEL_KEYS = ['label', 'labels', 'key', 'keys', 'letter', 'id', 'name', 'option_label'];
const RIGHT_KEYS = ['correct', 'is_correct', 'isCorrect', 'is_answer', 'right'];

/** `[{ "label": "A", "text": "…" }, …]`. */
function ofItems(items: readonly Readonly<Record<string, unknown>>[]): Options | null {
  const keyOf = (keys: readonly string[]) => keys.find((key) => items.every((item) => textOf(item[key]) !== null));
  const text = keyOf(TEXT_KEYS);
  if (text === undefined) return null;
  const label = keyOf(LABEL_KEYS);
  const right = keyOf(RIGHT_KEYS);
  return {
    texts: items.map((item) => textOf(item[text]) ?? ''),
    labels: label === undefined ? null : items.map((item) => textOf(item[label]) ?? ''),
    right: right === undefined ? null : onlyRight(items.map((item) => item[right])),
  };
}

function ofObject(value: Readonly<Record<string, unknown>>): Options | null {
  const textKey = TEXT_KEYS.find((key) => Array.isArray(value[key]));
  if (textKey !== undefined) {
    const texts = listOfTexts(value[textKey]);
    const marks = LABEL_KEYS.map((key) => value[key]).find(Array.isArray) as readonly unknown[] | undefined;
    if (!texts || (marks && marks.length !== texts.length)) return null;
    const right = marks ? onlyRight(marks) : null;
    return { texts, labels: marks && right === null ? marks.map((mark) => textOf(mark) ?? '') : null, right };
  }
  const entries = Object.entries(value);
  // `{ "Paris": 1, "Rome": 0 }`
  const right = onlyRight(entries.map(([, mark]) => mark));
  if (right !== null) return { texts: entries.map(([text]) => text), labels: null, right };
  const labelled = entries.filter(([, text]) => textOf(text) !== null);
  if (!labelled.every(([label]) => /^(?:(?:option|choice|answer)[ _]?)?(?:[a-j]|\d{1,2})$/i.test(label))) return null;
  return {
    texts: labelled.map(([, text]) => textOf(text) ?? ''),
    labels: labelled.map(([label]) => /(?<![a-j\d])[a-j\d]+$/i.exec(label)?.[0] ?? label),
    right: null,
  };
}

/** The index of the only mark that is 1 or `true`. `null`: the values are no such marks. */
function onlyRight(marks: readonly unknown[]): number | null {
  const isMark = (mark: unknown) => mark === 0 || mark === 1 || typeof mark === 'boolean';
  const right = marks.flatMap((mark, index) => (mark === 1 || mark === true ? [index] : []));
  return marks.length > 1 && marks.every(isMark) && right.length === 1 ? (right[0] ?? null) : null;
}
