/** @file Converts the table of a plot to CSV, with unrounded numbers. */
import { csvLine } from '../../../core/analysis/exports/csv';
import type { PlotTable } from './plot';

export function plotAsCsv({ header, rows }: PlotTable): string {
  const lines = [header.map(({ name }) => name), ...rows];
  return lines
    .map((line) => csvLine(line.map((cell) => (cell === null || typeof cell === 'string' ? cell : cell.value))))
    .join('');
}
