/**
 * @file Creates the importer of datasets. A map says which columns of a table have the question, the answer
 * and so on. Podium has maps for some published datasets. For other datasets, the user assigns the columns.
 */
import type { DatasetImporter, DatasetTable, Table, TableOpener } from '../../contract';
import { checkMap } from './check-map';
import { importRows, type ImportDependencies } from './import-rows';
import { recognizeSet, SET_MAPS } from './maps';
import { suggestMap } from './suggest-map';
import { tryReferences, type TryProgram } from './try-references';

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
