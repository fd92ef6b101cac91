/**
 * @file Imports tables of outcomes that were recorded outside Podium. An outcome is an answer of a worker, or
 * the score of an answer. The importer opens a file, reads it for a preview, and stores it as a dataset.
 */
import {
  fault,
  FaultError,
  GRADER_KINDS,
  GRADERS,
  isConfidentialTable,
  type Clock,
  type Dataset,
  type DatasetStore,
  type Table,
  type TableOpener,
} from '../../contract';
import { datasetIdentity, type DatasetIdDependencies } from '../datasets/dataset-id';
import { joinTables } from './join-tables';
import { recordedMapProblem, type RecordedMap } from './recorded-map';
import {
  RecordedTableReader,
  recordedDataset,
  type RecordedGrading,
  type RecordedTable,
  type RecordedTableOptions,
  type SkippedOutcomes,
} from './recorded-table';
import { suggestRecordedMap, type SampleTable } from './suggest-recorded-map';
import { readRecordedRow } from './recorded-row';
import { isRecordedRight } from '../../graders/recorded-score';

/** The content of a table that was read but not stored yet. */
export interface RecordedPreview {
  readonly tasks: number;
  readonly workers: readonly {
    readonly name: string;
    /** Number of tasks with an outcome of this worker. */
    readonly outcomes: number;
    /** Number of right answers. `null`: unknown, because the answers are not graded yet. */
    readonly right: number | null;
  }[];
  readonly problems: readonly SkippedOutcomes[];
  /** What is wrong with the columns, as a sentence. `null`: they are valid. */
  readonly mapProblem: string | null;
}

/**
 * On failure, a call rejects with a `FaultError` whose message says what to do. `PickedFile` is `File` in the
 * browser.
 */
export interface RecordedImporter<PickedFile> {
  /** Opens files as one table. `TableOpener.openFile` says which formats it reads. */
  openFiles(files: readonly [PickedFile, ...PickedFile[]], signal: AbortSignal): Promise<Table>;
  /** Suggests the columns by their names and by the first rows. Suggests grading by scores unless the table has only answers. */
  suggest(table: SampleTable): { readonly map: RecordedMap; readonly by: RecordedGrading['by'] };
  /**
   * Reads the whole table, and stores nothing.
   * @param onprogress receives the bytes read, and the size of the file in bytes. The size is 0 if it is unknown
   */
  preview(
    table: Table,
    reading: RecordedTableOptions,
    signal: AbortSignal,
    onprogress: (read: number, of: number) => void,
  ): Promise<RecordedPreview>;
  /** Reads the table again and stores it. Rejects if the same table is already stored, or if no row can be used. */
  add(
    table: Table,
    options: RecordedTableOptions & { readonly name: string },
    signal: AbortSignal,
    onprogress: (read: number, of: number) => void,
  ): Promise<Dataset>;
}

export interface RecordedImportDependencies<PickedFile> {
  readonly tables: Pick<TableOpener<PickedFile>, 'openFile'>;
  readonly store: Pick<DatasetStore, 'add' | 'get' | 'list'>;
  readonly batches: DatasetIdDependencies['batches'];
  readonly clock: Pick<Clock, 'now'>;
}

/** Graders of recorded answers. Graders of programs are left out, because they need tests, which these tables don't have. */
export const ANSWER_GRADERS = GRADER_KINDS.filter(
  (kind) => GRADERS[kind].needs === 'reference' || GRADERS[kind].by === 'person',
);

export function createRecordedImporter<PickedFile>({
  tables,
  store,
  batches,
  clock,
}: RecordedImportDependencies<PickedFile>): RecordedImporter<PickedFile> {
  return {
    async openFiles([first, ...others], signal) {
      const opened: [Table, ...Table[]] = [await tables.openFile(first, signal)];
      for (const file of others) opened.push(await tables.openFile(file, signal));
      return joinTables(opened);
    },
    suggest(table) {
      const map = suggestRecordedMap(table);
      const outcomes = table.preview.flatMap((row) => readRecordedRow(row, map).outcomes);
      const hasScores = outcomes.some(({ score }) => score !== null);
      return { map, by: hasScores || outcomes.length === 0 ? 'score' : 'answer' };
    },
    async preview(table, reading, signal, onprogress) {
      const mapProblem = recordedMapProblem(reading.map);
      if (mapProblem !== null) return { tasks: 0, workers: [], problems: [], mapProblem };
      const { tasks, workers, problems } = await readTable(table, reading, signal, onprogress);
      const counts = new Map(workers.map((name) => [name, { outcomes: 0, right: 0 }]));
      for (const { worker, text } of tasks.flatMap(({ recorded = [] }) => recorded)) {
        const count = counts.get(worker);
        if (!count) continue;
        count.outcomes += 1;
        if (isRecordedRight(text) === true) count.right += 1;
      }
      return {
        tasks: tasks.length,
        workers: [...counts].map(([name, { outcomes, right }]) => ({
          name,
          outcomes,
          right: reading.grading.by === 'score' ? right : null,
        })),
        problems,
        mapProblem,
      };
    },
    async add(table, { name, map, grading }, signal, onprogress) {
      const read = await readTable(table, { map, grading }, signal, onprogress);
      if (read.tasks.length === 0) throw new FaultError(fault('bad-request', NO_ROWS));
      const isConfidential = read.isConfidential || isConfidentialTable(table);
      const { source } = table;
      const content = recordedDataset({ ...read, isConfidential }, { name, source, addedAt: clock.now() });
      const dataset = { ...content, ...(await datasetIdentity(content, { store, batches })) };
      const same = (await store.list()).find(({ revision }) => revision === dataset.revision);
      if (same) {
        const message = `This table is already imported as “${same.name}”. Use that dataset, or delete it first.`;
        throw new FaultError(fault('bad-request', message));
      }
      const tasks = (async function* () {
        yield* read.tasks;
      })();
      return store.add(tasks, () => dataset, signal);
    },
  };
}

const NO_ROWS =
  'No row of this table can be used. Assign the columns of the question, of the workers, and of their scores or answers.';

async function readTable(
  table: Table,
  options: RecordedTableOptions,
  signal: AbortSignal,
  onprogress: (read: number, of: number) => void,
): Promise<RecordedTable> {
  const reader = new RecordedTableReader(options);
  for await (const part of table.read(signal)) {
    signal.throwIfAborted();
    reader.add(part);
    onprogress(part.read, table.bytes ?? 0);
  }
  return reader.finish();
}
