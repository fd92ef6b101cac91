/**
 * @file Creates the importer of datasets. A map says which columns of a table have the question, the answer
 * and so on. Podium has maps for some published datasets. For other datasets, the user assigns the columns.
 */
import type {
  DatasetImporter,
  DatasetTable,
  Table,
  TableOpener,
  CheckMap,
  EvaluationTask,
  RowProblem,
} from '../../contract';
import { importRows, type ImportDependencies } from './import-rows';
import { recognizeSet, SET_MAPS } from './maps';
import { suggestMap } from './suggest-map';
import { tryReferences, type TryProgram } from './try-references';
import { mapProblem } from './map-problem';
import { rowReader } from './row-reader';

export interface ImporterDependencies<PickedFile> extends ImportDependencies {
  readonly tables: TableOpener<PickedFile>;
  /** Absent: programming tasks are not tried before the import. */
  readonly tryProgram?: TryProgram;
}

export function createDatasetImporter<PickedFile>(
  dependencies: ImporterDependencies<PickedFile>,
): DatasetImporter<PickedFile> {
  const { tables } = dependencies;
  const recognized = (table: Table): DatasetTable => ({ ...table, ...recognizeSet(table) });
  return {
    known: Object.values(SET_MAPS).map(({ info }) => info),
    openFile: async (file, signal, encoding) => recognized(await tables.openFile(file, signal, encoding)),
    openHub: async (address, signal, encoding) => recognized(await tables.openHub(address, signal, encoding)),
    listHub: (address, signal) => tables.listHub(address, signal),
    check: checkMap,
    tryReferences: (tasks, signal) => tryReferences(tasks, dependencies.tryProgram, signal),
    suggest: suggestMap,
    import: (table, map, options, signal) => importRows(table, map, options, dependencies, signal),
  };
}

/**
 * Checks whether a map fits a table. A map converts the table's rows to tasks. For example, it defines
 * which column contains the question. The check applies the map to the preview rows of the table.
 */
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
  const skipped: RowProblem[] = [];
  for (const [index, row] of preview.entries()) {
    const result = read(row, index + 1);
    if (result.ok) tasks.push(result.task);
    else skipped.push({ row: index + 1, message: result.problem });
  }
  // Some datasets have unusable rows. So the map is rejected only if every row of the preview is unusable.
  const [first] = skipped;
  if (tasks.length === 0 && first) return { ok: false, problem: `Row ${first.row}: ${first.message}` };
  return { ok: true, tasks, skipped };
};

function missingOfSet(needed: readonly string[], names: readonly string[]): string | null {
  const missing = needed.find((column) => !names.includes(column));
  return missing === undefined ? null : `The table has no column “${missing}”, so it doesn’t match this dataset.`;
}
