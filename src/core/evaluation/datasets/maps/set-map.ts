/** @file The interface for importing a known published dataset: its columns, and how a row becomes a task. */
import type { EvaluationTask, KnownSetInfo, Table, TableRow } from '../../../contract';

export interface SetMap {
  readonly info: KnownSetInfo;
  /** The columns that the map reads. A table with all of these columns may be this set. */
  readonly columns: readonly string[];
  /** An additional check whether a table is this set, for sets whose columns are common. Absent: the columns are enough. */
  readonly isTable?: (table: Pick<Table, 'source' | 'preview'>) => boolean;
  /**
   * Converts a row to a task.
   * @param number row number, counted from 1
   * @throws UnfitRow
   */
  task(row: TableRow, number: number): EvaluationTask;
}
