/**
 * @file Defines an exported table: its columns with type, unit and description, and the rows that each run adds to it.
 */
import type { Cell, FileColumn, Run, StoredEvent } from '../../contract';

/** What a run of a batch does not contain: the names of its batch, dataset and method, and the right answer. */
export interface TaskFacts {
  /** `null`: the batch was deleted. */
  readonly batch: string | null;
  readonly dataset: string | null;
  readonly method: string | null;
  /** The reference of the task. `null`: the task was deleted, or has no reference in words. */
  readonly reference: string | null;
}

/** A run to export, with facts that the export needs and that the run does not contain. */
export interface RunRecord {
  readonly run: Run;
  readonly events: readonly StoredEvent[];
  /** OpenTelemetry's name for the provider at an origin. `null`: unknown. */
  readonly providerOf: (origin: string) => string | null;
  /** Absent: the run belongs to no batch. */
  readonly facts?: TaskFacts;
}

export interface FileTable {
  /** A sentence that says what a row contains. */
  readonly about: string;
  readonly columns: readonly FileColumn[];
  /** The rows of a run, with one cell for each column. */
  rowsOf(record: RunRecord): readonly (readonly Cell[])[];
}

interface Column<Row> extends Omit<FileColumn, 'name' | 'unit'> {
  readonly unit?: string;
  readonly of: (row: Row) => Cell;
}

/** @param columns by name, in order */
export function defineTable<Row>(
  about: string,
  rowsOf: (record: RunRecord) => readonly Row[],
  columns: Readonly<Record<string, Column<Row>>>,
): FileTable {
  const each = Object.entries(columns);
  return {
    about,
    columns: each.map(([name, { type, unit = null, about: text }]) => ({ name, type, unit, about: text })),
    rowsOf: (record) => rowsOf(record).map((row) => each.map(([, column]) => column.of(row))),
  };
}
