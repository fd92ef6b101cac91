/** @file What the import knows of a published set. */
import type { EvaluationTask, KnownSetInfo, Table, TableRow } from '../../../contract';

export interface SetMap {
  readonly info: KnownSetInfo;
  /** The columns that it reads. A table with all of them may be this set. */
  readonly columns: readonly string[];
  /** For sets with columns that are common: whether a table with these columns is this set. Absent: it is. */
  readonly isTable?: (table: Pick<Table, 'source' | 'preview'>) => boolean;
  /**
   * @param number of the row, from 1
   * @throws UnfitRow
   */
  task(row: TableRow, number: number): EvaluationTask;
}
