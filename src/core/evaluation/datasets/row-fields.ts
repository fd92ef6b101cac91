/** @file Reads fields of a table's row. A row that lacks a required field can't become a task. */
import { parseJson, type TableRow } from '../../contract';

/** Thrown when a row can't become a task. The message is a sentence. The import catches the error and skips the row. */
export class UnfitRow extends Error {}

/**
 * The value of a column, or a value inside it, such as `reward_model.ground_truth` or `prompt.0.content`. `undefined`: there is no
 * such value.
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

/** A value as text. Lists and objects become JSON. `null`: the value is missing, or a text with only white space. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return null;
}

/** The text of a field. `null`: the field is missing or empty. */
export function optionalText(row: TableRow, path: string): string | null {
  return textOf(valueAt(row, path));
}

/** The text of a field. @throws UnfitRow if the field is missing or empty */
export function requiredText(row: TableRow, path: string): string {
  const text = optionalText(row, path);
  if (text === null) throw new UnfitRow(`The field “${path}” is missing or empty.`);
  return text;
}

/** A list of texts. Also accepts a JSON or Python list written as text. `null`: the value is not a list of texts. */
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

/** Reads quoted texts without escapes, such as `'random', "it's"`. `null`: the list contains anything else. */
function pythonList(items: string): readonly string[] | null {
  if (items.trim() === '') return [];
  const texts: string[] = [];
  const item = /\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*(,|$)/y;
  while (item.lastIndex < items.length) {
    const found = item.exec(items);
    if (!found) return null;
    texts.push(found[1] ?? found[2] ?? '');
  }
  return texts;
}
