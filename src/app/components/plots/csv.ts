/** @file The table of a plot as CSV, with unrounded numbers. */
import type { PlotTable, TableCell } from './plot';

/** If a text begins with one of these signs, spreadsheets run it as a formula. An apostrophe in front prevents that. */
const FORMULA = /^(\s*[=+\-@]|[\t\r])/;

export function plotAsCsv({ header, rows }: PlotTable): string {
  const lines = [header.map(({ name }) => name), ...rows];
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(cell: TableCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell.value);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
