/** @file The interface for importing a published dataset: its columns, and the conversion of rows to tasks. */
import type { EvaluationTask, KnownSetInfo, Table, TableRow } from '../../../contract';

export interface SetMap {
  readonly info: KnownSetInfo;
  /** The columns that identify the dataset. A table must have all of them. */
  readonly columns: readonly string[];
  /**
   * Whether a table that has these columns is this dataset. Needed if other tables have the same columns.
   * Absent: every table with these columns is this dataset.
   */
  readonly isTable?: (table: Pick<Table, 'source' | 'columns' | 'preview'>) => boolean;
  /** The title of the edition in a table. Absent or `undefined`: the title of the set. */
  readonly titleOf?: (table: Pick<Table, 'preview' | 'rowCount' | 'bytes'>) => string | undefined;
  /**
   * Converts a row to a task.
   * @param number row number, counted from 1
   * @throws UnfitRow
   */
  task(row: TableRow, number: number): EvaluationTask;
}
