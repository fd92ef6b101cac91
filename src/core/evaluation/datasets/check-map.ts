/**
 * @file Checks whether a map fits a table. A map converts the table's rows to tasks. For example, it defines
 * which column contains the question. The check applies the map to the preview rows of the table.
 */
import type { CheckMap, EvaluationTask } from '../../contract';
import { SET_MAPS } from './maps';
import { mapProblem } from './map-problem';
import { rowReader } from './row-reader';

export const checkMap: CheckMap = ({ columns, preview }, map) => {
  const problem =
    map.kind === 'known'
      ? missingOfSet(
          SET_MAPS[map.set].columns,
          columns.map(({ name }) => name),
        )
      : mapProblem(map.map, columns);
  if (problem !== null) return { ok: false, problem };
  if (preview.length === 0) return { ok: false, problem: 'The table has no rows.' };
  const read = rowReader(map);
  const tasks: EvaluationTask[] = [];
  let first: string | null = null;
  for (const [index, row] of preview.entries()) {
    const result = read(row, index + 1);
    if (result.ok) tasks.push(result.task);
    else first ??= `Row ${index + 1}: ${result.problem}`;
  }
  // Some datasets have unusable rows. So the map is rejected only if every row of the preview is unusable.
  return tasks.length === 0 && first !== null ? { ok: false, problem: first } : { ok: true, tasks };
};

function missingOfSet(needed: readonly string[], names: readonly string[]): string | null {
  const missing = needed.find((column) => !names.includes(column));
  return missing === undefined ? null : `The table has no column “${missing}”, so it doesn’t match this dataset.`;
}
