/** @file Reads the fields of a table row. */
import { parseJson, type TableRow } from '../../contract';

/** Thrown if a row can't be converted to a task. Imports catch this error, skip the row and report the message. */
export class UnfitRow extends Error {}

/**
 * The value of a column. A path such as `reward_model.ground_truth` or `prompt.0.content` selects a nested
 * value. `undefined`: there is no such value.
 */
export function valueAt(row: TableRow, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Converts a value to text. Lists and objects become JSON. `null`: the value is missing or blank. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return null;
}

/** The text of a field. `null`: the field is missing or blank. */
export function optionalText(row: TableRow, path: string): string | null {
  return textOf(valueAt(row, path));
}

/** The text of a field. @throws UnfitRow if the field is missing or blank */
export function requiredText(row: TableRow, path: string): string {
  const text = optionalText(row, path);
  if (text === null) throw new UnfitRow(`The field “${path}” is missing or empty.`);
  return text;
}

/** Reads a list of texts, or a string with a JSON or Python list. `null`: the value is no such list. */
export function listOfTexts(value: unknown): readonly string[] | null {
  const list = typeof value === 'string' ? parsedList(value) : value;
  if (!Array.isArray(list)) return null;
  const texts = list.map(textOf);
  return texts.every((text) => text !== null) ? texts : null;
}

function parsedList(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return null;
  const json = parseJson(trimmed);
  return json === undefined ? pythonList(trimmed.slice(1, -1)) : json;
}

/**
 * Reads the items of a Python list of strings, such as `'random', "it's"`. NumPy writes no commas: `'random' 'numpy'`.
 * `null`: an item isn't a string.
 */
function pythonList(items: string): readonly string[] | null {
  if (items.trim() === '') return [];
  const texts: string[] = [];
  const item = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?:\s*,|\s|$)/sy;
  while (item.lastIndex < items.trimEnd().length) {
    const found = item.exec(items);
    if (!found) return null;
    texts.push(unescaped(found[1] ?? found[2] ?? ''));
  }
  return texts;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string): string {
  return text.replace(
    /\\([^])/g,
    (whole, letter: string) => ESCAPES[letter] ?? (/[\\'"]/.test(letter) ? letter : whole),
  );
}
