/** @file Splits JSON lines into rows. Reports lines that are incomplete or not objects, and keeps the others. */
import type { TableRow } from './recorded-row';
import type { RecordedPart } from './recorded-table';

/** @param text empty lines are skipped, but counted */
export function rowsOfJsonLines(text: string): RecordedPart {
  const rows: { row: number; value: TableRow }[] = [];
  const problems: { row: number; message: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = jsonOf(line);
    if (isRow(value)) rows.push({ row: index + 1, value });
    else problems.push({ row: index + 1, message: value === undefined ? TORN : 'The line is not a JSON object.' });
  }
  return { rows, problems };
}

const TORN = 'The line is not valid JSON. It may have been cut off.';

function jsonOf(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}

function isRow(value: unknown): value is TableRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
