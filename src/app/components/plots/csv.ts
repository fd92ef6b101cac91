/** @file Converts the table of a plot to CSV, with unrounded numbers. */
import type { PlotTable, TableCell } from './plot';

/** Spreadsheets run a text as a formula if it begins with one of these characters. A leading apostrophe prevents this. */
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
