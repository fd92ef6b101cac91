/** @file The columns of a table, with the values of its preview. Finds columns by name, also inside objects and chat messages. */
import { isRecord, type Table, type TableRow } from '../../contract';
import { textOf, valueAt } from './row-fields';

/** A column, or a value inside the objects of a column: `reward_model.ground_truth`. */
export interface TableField {
  readonly path: string;
  /** The last part of the path in lower case, without separators: `groundtruth`. */
  readonly name: string;
  /** One value for each row of the preview. */
  readonly values: readonly unknown[];
  /** The values as texts. `null`: at least one is missing, blank, a list or an object. */
  readonly texts: readonly string[] | null;
}

export function fieldsOf({ columns, preview }: Pick<Table, 'columns' | 'preview'>): readonly TableField[] {
  return columns.flatMap(({ name }) => {
    const field = fieldAt(name, preview);
    const keys = field.values.flatMap((value) => (isRecord(value) ? Object.keys(value) : []));
    return [field, ...[...new Set(keys)].slice(0, MOST_KEYS).map((key) => fieldAt(`${name}.${key}`, preview))];
  });
}

/** Maximum number of keys of an object that count as columns. */
const MOST_KEYS = 50;

function fieldAt(path: string, preview: readonly TableRow[]): TableField {
  const values = preview.map((row) => valueAt(row, path));
  const texts = values.map((value) => (typeof value === 'object' ? null : textOf(value)));
  const isText = texts.length > 0 && texts.every((text) => text !== null);
  return { path, name: plainName(path.split('.').at(-1) ?? ''), values, texts: isText ? texts : null };
}

/** A column name in lower case, without separators. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\d]/gu, '');
}

/**
 * Sorts the fields whose name is one of the wanted names, or contains one of them as a word. Exact names come first, in the order
 * of `wanted`.
 */
export function named(fields: readonly TableField[], wanted: readonly string[]): readonly TableField[] {
  const ranked = fields.map((field) => ({ field, rank: rankOf(field, wanted) }));
  return ranked
    .filter(({ rank }) => rank < Infinity)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ field }) => field);
}

/** The first field that has one of the names exactly. `null`: none. */
export function exactlyNamed(fields: readonly TableField[], wanted: readonly string[]): TableField | null {
  return named(fields, wanted).find(({ name }) => wanted.includes(name)) ?? null;
}

/** The position among the wanted names. Names that only contain a wanted word, such as `question_text`, have higher ranks. */
export function rankOf({ name, path }: TableField, wanted: readonly string[]): number {
  const exact = wanted.indexOf(name);
  // A value inside an object ranks after a column of the same name.
  const nested = path.includes('.') ? 0.5 : 0;
  if (exact >= 0) return exact + nested;
  const words = wordsOf(path.split('.').at(-1) ?? '');
  const part = words.some((word) => FACTS.has(word)) ? -1 : wanted.findIndex((word) => words.includes(word));
  return part < 0 ? Infinity : wanted.length + part + nested;
}

/** Words in names of columns that have a fact about another column, such as `answer_type` and `question_id`. */
const FACTS = new Set(
  'start end type id count length num source url format unit unicode is has lang language'.split(' '),
);

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
}

/** Whether a column has no name, but only its number. */
export function isUnnamed({ path }: Pick<TableField, 'path'>): boolean {
  return /^column \d+$/.test(path);
}
