/**
 * @file Determines the value types of table columns, and converts Parquet values to JSON values.
 */
import type { ColumnKind, TableColumn, TableRow } from '../../core/contract';

export const PREVIEW_ROWS = 5;

/**
 * Lists the columns in `names`, then all other columns in the order of their first appearance in
 * the rows.
 */
export function columnsOf(rows: readonly TableRow[], names: Iterable<string> = []): readonly TableColumn[] {
  const all = new Set([...names, ...rows.flatMap((row) => Object.keys(row))]);
  return [...all].map((name) => ({ name, kind: kindOf(rows.map((row) => row[name])) }));
}

function kindOf(values: readonly unknown[]): ColumnKind {
  const kinds = new Set(values.filter((value) => value !== null && value !== undefined).map(kindOfValue));
  const [kind] = kinds;
  return kind !== undefined && kinds.size === 1 ? kind : 'mixed';
}

function kindOfValue(value: unknown): ColumnKind {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return Array.isArray(value) ? 'list' : 'object';
  }
}

/**
 * Converts a Parquet value to a JSON value. An integer becomes a string if a JavaScript number
 * can't hold it exactly. Dates become ISO 8601 strings. Invalid dates and numbers that are not
 * finite become `null`.
 */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // Binary values, such as images, can't be part of a task.
  if (value instanceof Uint8Array || value === undefined) return null;
  if (ArrayBuffer.isView(value)) return isIterable(value) ? [...value].map(plainValue) : null;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'object' && value !== null) return plainRow(value);
  return value;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

export function plainRow(row: object): TableRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

/** Approximate length of a JSON value as text, in UTF-16 units. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let length = 0;
  for (const [name, each] of Object.entries(value)) length += name.length + textLength(each);
  return length;
}
