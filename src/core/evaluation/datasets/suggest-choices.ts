/** @file Finds the options of multiple-choice questions in a table, and the column with the right option. */
import type { ChoiceMap } from '../../contract';
import { indexOfAnswer } from './column-map';
import { readOptions, type Options } from './options';
import { textOf } from './row-fields';
import { isUnnamed, rankOf, type TableField } from './table-fields';

export interface SuggestedChoices {
  readonly choices: ChoiceMap;
  /** `null`: no column has the right option, because the options state it. */
  readonly reference: string | null;
}

const OPTIONS = ['choices', 'options', 'endings', 'candidates', 'alternatives', 'mc1targets', '选项'];
const ANSWERS = [
  'answer',
  'answerkey',
  'label',
  'correct',
  'correctanswer',
  'correctoption',
  'answeridx',
  'answerindex',
  'gold',
  'target',
  'key',
  'solution',
  'cop',
  'labels',
  '答案',
];
/** Words that name columns with right options, besides those in `ANSWERS`. */
const WRONG = /^(?:distractor|incorrect|wrong|false)/;
const RIGHT = /^(?:correct|right|true|best)/;
/** The seed for shuffling options whose order shows the right one. */
const SEED = 1;

/** `null`: the table has no options, or no column with the right option. */
export function suggestChoices(fields: readonly TableField[]): SuggestedChoices | null {
  const lists = fields
    .map((field) => ({ field, rank: rankOf(field, OPTIONS), rows: field.values.map(readOptions) }))
    .filter(({ rows }) => rows.length > 0 && rows.every((options) => options !== null && options.texts.length > 1))
    .toSorted((one, other) => one.rank - other.rank);
  for (const { field, rank, rows } of lists) {
    const options = rows.filter((row) => row !== null);
    const found = answerTo(options, fields, [field.path]);
    // Another list with the text of the answer may be a list of its spellings.
    if (found && (rank < Infinity || found.kind !== 'text'))
      return { choices: { columns: [field.path], answer: found.kind, shuffleSeed: null }, reference: found.path };
    if (options.every(({ right }) => right !== null)) {
      const isFirst = options.every(({ right }) => right === 0);
      const choices = { columns: [field.path], answer: 'marked', shuffleSeed: isFirst ? SEED : null } as const;
      return { choices, reference: null };
    }
  }
  return ofColumns(fields);
}

/** Options in columns of their own, such as `A` to `D`, `option1` and `option2`, or a right and several wrong answers. */
function ofColumns(fields: readonly TableField[]): SuggestedChoices | null {
  for (const family of familiesOf(fields)) {
    const columns = family.map(({ path }) => path);
    if (family.every(({ name }) => WRONG.test(name))) {
      const right = fields.find(({ name, texts }) => RIGHT.test(name) && texts);
      if (right) {
        return { choices: { columns: [right.path, ...columns], answer: 'first', shuffleSeed: SEED }, reference: null };
      }
      continue;
    }
    const rows = (family[0]?.values ?? []).map((_, row): Options => {
      const texts = family.map(({ values }) => textOf(values[row])).filter((text) => text !== null);
      return { texts, labels: null, right: null };
    });
    const found = answerTo(rows, fields, columns);
    if (found) return { choices: { columns, answer: found.kind, shuffleSeed: null }, reference: found.path };
  }
  return null;
}

/** Columns whose names differ only in a last letter or number that counts up: `opa`, `opb`, `opc`. */
function familiesOf(fields: readonly TableField[]): readonly (readonly TableField[])[] {
  const families = new Map<string, TableField[]>();
  for (const field of fields) {
    const ending = /(?:[a-j]|\d)$/i.exec(field.path)?.[0];
    if (ending === undefined || !field.values.some((value) => textOf(value) !== null)) continue;
    const key = `${field.path.slice(0, -1)} ${/\d/.test(ending) ? 'number' : 'letter'}`;
    families.set(key, [...(families.get(key) ?? []), field]);
  }
  return [...families.values()].flatMap((family) => {
    const sorted = family.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    const places = sorted.map(({ path }) => parseInt(path.slice(-1), 20));
    const [first = NaN] = places;
    const isStart = [0, 1, 10].includes(first);
    const isRun = sorted.length > 1 && places.every((place, index) => place === first + index);
    // Without a header, the question may be before the options, and the answer after them.
    if (isRun && sorted.every(isUnnamed) && sorted.length > 2) return [sorted.slice(0, -1)];
    return isRun && isStart ? [sorted] : [];
  });
}

type AnswerKind = Exclude<ChoiceMap['answer'], 'first' | 'marked'>;

/**
 * The column that names an existing option in every row. Columns with other names count only if they have letters or texts of
 * options, because any small number could be the index of an option.
 */
function answerTo(
  options: readonly Options[],
  fields: readonly TableField[],
  used: readonly string[],
): { readonly path: string; readonly kind: AnswerKind } | null {
  const candidates = fields
    .filter(({ path, texts }) => texts && !used.includes(path) && !used.includes(path.split('.')[0] ?? ''))
    .map((field) => ({ field, rank: rankOf(field, ANSWERS) }))
    .toSorted((one, other) => one.rank - other.rank);
  for (const { field, rank } of candidates) {
    const texts = field.texts ?? [];
    const fits = (kind: AnswerKind) =>
      texts.every((text, row) => {
        const all = options[row];
        const index = all ? indexOfAnswer(text, all, kind) : -1;
        return Number.isInteger(index) && index >= 0 && index < (all?.texts.length ?? 0);
      });
    const kind = kindsOf(texts, options, rank < Infinity).find(fits);
    if (kind) return { path: field.path, kind };
  }
  return null;
}

function kindsOf(texts: readonly string[], options: readonly Options[], isNamed: boolean): readonly AnswerKind[] {
  const isNumber = texts.every((text) => /^\s*\d{1,2}\s*$/.test(text));
  if (!isNumber) return ['letter', 'text'];
  if (!isNamed) return [];
  // The options of a text question can be numbers, too.
  if (texts.every((text, row) => options[row]?.texts.some((option) => option.trim() === text.trim()))) return ['text'];
  const isLabelled = texts.every((text, row) => options[row]?.labels?.includes(text.trim()));
  if (isLabelled) return ['letter'];
  // An index from 0 can be 0, a number from 1 can be the number of options.
  return texts.some((text, row) => Number(text) === options[row]?.texts.length) ? ['number'] : ['index', 'number'];
}
