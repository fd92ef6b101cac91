/**
 * @file The rows of the table in docs/fault-matrix.md. A test passes its row to the table as an annotation.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect, type FullConfig, type TestInfo } from '@playwright/test';
import * as z from 'zod/mini';

/** The file with the table. */
export const TABLE_PATH = 'docs/fault-matrix.md';

const rowShape = z.object({
  fault: z.string(),
  /** The messages on the page. */
  read: z.string(),
  kept: z.string(),
  /** Automatic calls for the step with the fault, including the first one. */
  called: z.string(),
  /** The button that the user then presses, and the calls that follow. */
  again: z.string(),
});

export type FaultRow = z.infer<typeof rowShape>;

const ANNOTATION = 'fault-matrix';

/** Whether this test run rewrites the table (`--update-snapshots`). */
export function isUpdate({ updateSnapshots }: Pick<FullConfig, 'updateSnapshots'>): boolean {
  return updateSnapshots === 'all' || updateSnapshots === 'changed';
}

/**
 * Adds a row to the annotations of its test. Then fails if the stored table has a different row for this fault. A test
 * run that rewrites the table skips this check.
 */
export function recordRow(info: TestInfo, row: FaultRow): void {
  info.annotations.push({ type: ANNOTATION, description: JSON.stringify(row) });
  if (isUpdate(info.config)) return;
  const line = tableLines().find((each) => each.startsWith(`| ${row.fault} |`));
  expect(line, `${TABLE_PATH} has another row. If the new row is right, run npm run faults`).toBe(rowLine(row));
}

/** The rows in the annotations of a test. */
export function rowsOf(annotations: TestInfo['annotations']): FaultRow[] {
  return annotations.flatMap(({ type, description }) =>
    type === ANNOTATION && description !== undefined ? [rowShape.parse(JSON.parse(description))] : [],
  );
}

/** A row as a line of the table. */
export function rowLine({ fault, read, kept, called, again }: FaultRow): string {
  return tableLine([fault, read, kept, called, again]);
}

export function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |`;
}

/** The rows of the stored table, without its header row and separator. */
export function tableLines(): string[] {
  if (!existsSync(TABLE_PATH)) return [];
  const lines = readFileSync(TABLE_PATH, 'utf8').split(/\r?\n/);
  return lines.filter((line) => line.startsWith('| ')).slice(2);
}
