/** @file Writes values as CSV (RFC 4180). Prevents spreadsheets from running a value as a formula. */
import type { Cell, FileColumn } from '../../contract';

/** A text that a spreadsheet would run as a formula. An apostrophe in front prevents this. */
const FORMULA = /^(\s*[=+\-@]|[\t\r])/;

/** The beginning of a CSV file: the byte order mark. Without it, Excel on Windows does not read the file as UTF-8. */
export const CSV_START = '\ufeff';

/** The cells as one line, including the line break. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Like `csvLine`, for a row of a table. Times are written as ISO 8601 in UTC. */
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
