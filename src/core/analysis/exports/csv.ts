/** @file Writes values as CSV (RFC 4180). Prevents spreadsheets from running a value as a formula. */
import type { Cell, FileColumn } from '../../contract';

/** A spreadsheet runs a text as a formula if the text begins with one of these signs. An apostrophe in front prevents that. */
const FORMULA = /^(\s*[=+\-@]|[\t\r])/;

/** A line with its line break. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A row of a table as a line. Times are written as ISO 8601 in UTC. */
export function csvRow(columns: readonly FileColumn[], row: readonly Cell[]): string {
  return csvLine(
    row.map((cell, index) =>
      columns[index]?.type === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : cell,
    ),
  );
}

function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
