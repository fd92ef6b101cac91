/** @file Converts table rows to tasks. For an unusable row, the result contains the reason. */
import type { DatasetMap, EvaluationTask, TableRow } from '../../contract';
import { taskProblem } from './check-task';
import { taskByColumns } from './column-map';
import { SET_MAPS } from './maps';
import { columnsOf } from './map-problem';
import { UnfitRow } from './row-fields';

export type ReadRow =
  { readonly ok: true; readonly task: EvaluationTask } | { readonly ok: false; readonly problem: string };

/** Creates a function that converts the rows of one table. The function rejects rows with a repeated id. */
export function rowReader(map: DatasetMap): (row: TableRow, number: number) => ReadRow {
  const rowOfId = new Map<string, number>();
  return (row, number) => {
    const read = taskOf(row, number, map);
    if (!read.ok) return read;
    const { id } = read.task;
    const earlier = rowOfId.get(id);
    if (earlier !== undefined) return { ok: false, problem: `The id “${id}” is already used in row ${earlier}.` };
    rowOfId.set(id, number);
    return read;
  };
}

function taskOf(row: TableRow, number: number, map: DatasetMap): ReadRow {
  try {
    const task = map.kind === 'known' ? SET_MAPS[map.set].task(row, number) : taskByColumns(row, number, map.map);
    const problem = taskProblem(task);
    return problem === null ? { ok: true, task } : { ok: false, problem };
  } catch (thrown) {
    if (thrown instanceof UnfitRow) return { ok: false, problem: thrown.message };
    throw thrown;
  }
}

/**
 * The table columns that a map reads. `undefined`: all columns. The map of a published dataset reads all
 * columns, because it doesn't list the optional ones.
 */
export function neededColumns(map: DatasetMap, names: readonly string[]): readonly string[] | undefined {
  if (map.kind === 'known') return undefined;
  const wanted = new Set(columnsOf(map.map).flatMap((column) => [column, column.split('.')[0] ?? '']));
  return names.filter((name) => wanted.has(name));
}

/** Whether the map marks its tasks as confidential. */
export function isConfidential(map: DatasetMap): boolean {
  return map.kind === 'known' ? SET_MAPS[map.set].info.isConfidential : map.map.isConfidential;
}
