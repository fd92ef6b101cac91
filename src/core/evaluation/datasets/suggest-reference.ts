/** @file Finds the column with the reference of a task, the part of it that is the answer, and a grader for it. */
import type { GraderKind, ReferencePart } from '../../contract';
import { partOf, referenceText } from './reference-text';
import { UnfitRow } from './row-fields';
import { isUnnamed, plainName, rankOf, type TableField } from './table-fields';
import { isWorked } from './try-references';

export interface SuggestedReference {
  readonly reference: string;
  readonly referencePart?: ReferencePart;
  readonly grader: GraderKind;
}

const NAMES = [
  'answer',
  'finalanswer',
  'groundtruth',
  'reference',
  'referenceanswer',
  'target',
  'gold',
  'goldanswer',
  'correctanswer',
  'bestanswer',
  'expectedanswer',
  'expected',
  'expectedoutput',
  'correct',
  'label',
  'shortanswer',
  'numericalanswer',
  'answers',
  'answersspans',
  'result',
  'output',
  'response',
  'completion',
  'solution',
  'antwort',
  'respuesta',
  'réponse',
  'reponse',
  'risposta',
  'ответ',
  '答案',
];

/** A number, also with a unit in brackets such as `9 (apples)`, a fraction, or text with `\`, `^`, `=` or `_{`, such as LaTeX. */
const MATHEMATICAL =
  /^(?:[-+−]?[$€£]?[\d.,/]+%?(?:\s\([a-zA-Z][a-zA-Z ]{0,30}\))?|\S[^\\^=\r\n\u2028\u2029]*[\\^=].*|\S+_\{.*|[\\$].*)$/;
/** A short text that begins with a digit or a sign, such as `2n`, `7 cm`, `(1, 2]` or `1 < m < 2`, or a variable, as in `x < 2`. */
const EXPRESSION =
  /^\s*(?:[-+−([]?\s?\d[\w\s+\-*/().,°\]:<>≤≥]{0,20}|[a-zA-Z](?:\s*[<>≤≥]\s*[-+−]?\s?\d[\w.,/]{0,10})?)\s*$/;
const LONGEST_MATHEMATICAL = 500;
/** Texts that stand before the answer in worked solutions. */
const MARKERS = ['####', 'the final answer is', 'the answer is', 'final answer:', 'answer:', '答案：', '答案:'];
/** Longer texts are sentences, which no worker repeats word for word. */
const LONGEST_EXACT = 100;
/** A long text is only taken if no column with a name that is this much further down the list has a short one. */
const COST = 10;

/** `null`: no column has references. */
export function suggestReference(fields: readonly TableField[]): SuggestedReference | null {
  // Without a header, the answer is usually last.
  const last = fields.every(isUnnamed) ? fields.at(-1) : undefined;
  const found = fields
    .map((field) => ({ field, rank: field === last ? 0 : rankOfReference(field) }))
    .filter(({ rank }) => rank < Infinity)
    .flatMap(({ field, rank }) => {
      const reading = readingOf(field);
      return reading ? [{ ...reading, rank: rank + COST * reading.cost, path: field.path }] : [];
    })
    .toSorted((one, other) => one.rank - other.rank)[0];
  if (!found) return null;
  const { path, grader, part } = found;
  return { reference: path, grader, ...(part && { referencePart: part }) };
}

/** Keys of objects such as `answer: { "value": "Paris" }`, in the order of preference. */
const KEYS = ['value', 'text', 'spans', 'answer', 'content', 'aliases'];

function rankOfReference(field: TableField): number {
  const [parent = '', key = ''] = field.path.split('.');
  const place = KEYS.indexOf(key);
  if (place < 0) return rankOf(field, NAMES);
  return rankOf({ ...field, path: parent, name: plainName(parent) }, NAMES) + (place + 1) / 10;
}

interface Reading {
  readonly grader: GraderKind;
  readonly part?: ReferencePart;
  /** How unlikely it is that these values are references: 0 for short values. */
  readonly cost: number;
}

/** How the values of a column are best graded. `null`: a value is missing. */
function readingOf({ values, texts }: TableField): Reading | null {
  const whole = textsOf(values, 'mathematics') ?? texts;
  if (!whole) return listReading(values);
  if (areMathematical(whole)) return { grader: 'mathematics', cost: 0 };
  if (!texts) return listReading(values);
  for (const part of PARTS) {
    const parts = partsOf(texts, part);
    if (parts && areMathematical(parts)) return { grader: 'mathematics', part, cost: 1 };
    if (part.kind !== 'last-line' && parts?.every(isShort)) {
      return { grader: part.kind === 'box' ? 'mathematics' : 'exact', part, cost: 1 };
    }
  }
  return texts.every(isShort) ? { grader: 'exact', cost: 0 } : { grader: 'judge', cost: 3 };
}

/** Lists of texts: the same text several times, or texts of which any is right. */
function listReading(values: readonly unknown[]): Reading | null {
  if (textsOf(values, 'exact')?.every(isShort)) return { grader: 'exact', cost: 0 };
  return values.every(Array.isArray) && textsOf(values, 'pattern') ? { grader: 'pattern', cost: 0 } : null;
}

const PARTS: readonly ReferencePart[] = [
  { kind: 'after', marker: '####' },
  { kind: 'box' },
  ...MARKERS.slice(1).map((marker) => ({ kind: 'after', marker }) as const),
  { kind: 'last-line' },
];

function partsOf(texts: readonly string[], part: ReferencePart): readonly string[] | null {
  return unlessUnfit(() => texts.map((text) => partOf(text, part) ?? ''));
}

/** The references that the values give. `null`: a value is missing, or is an object. */
function textsOf(values: readonly unknown[], grader: GraderKind): readonly string[] | null {
  const isPlain = (value: unknown) => typeof value !== 'object' || Array.isArray(value);
  if (values.length === 0 || !values.every(isPlain)) return null;
  const texts = unlessUnfit(() => values.map((value) => referenceText(value, grader, undefined)));
  return texts?.every((text) => text !== null) ? texts : null;
}

function unlessUnfit<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof UnfitRow) return null;
    throw thrown;
  }
}

/** Whether all texts can be mathematics, and at least one certainly is. */
function areMathematical(texts: readonly string[]): boolean {
  const isSure = (text: string) =>
    text.length <= LONGEST_MATHEMATICAL && MATHEMATICAL.test(text.trim()) && !isWorked(text);
  return texts.some(isSure) && texts.every((text) => isSure(text) || EXPRESSION.test(text));
}

function isShort(text: string): boolean {
  return text.trim() !== '' && text.length <= LONGEST_EXACT && !text.trim().includes('\n');
}
