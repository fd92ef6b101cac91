/**
 * @file Imports tables of outcomes that were recorded outside Podium. An outcome is an answer of a worker, or
 * the score of an answer. The importer opens a file, reads it for a preview, and stores it as a dataset.
 */
import {
  fault,
  FaultError,
  isConfidentialTable,
  type Clock,
  type Dataset,
  type DatasetStore,
  type GraderKind,
  type RowProblem,
  type Table,
  type TableOpener,
} from '../../contract';
import { datasetIdentity, type DatasetIdDependencies } from '../datasets/dataset-id';
import { readRecordedRow } from './recorded-row';
import {
  RecordedTableReader,
  recordedDataset,
  type RecordedGrading,
  type RecordedTable,
  type RecordedTableOptions,
} from './recorded-table';

/** The content of a table that was read but not stored yet. */
export interface RecordedPreview {
  readonly tasks: number;
  readonly workers: readonly {
    readonly name: string;
    /** Number of tasks with an outcome of this worker. */
    readonly outcomes: number;
  }[];
  readonly problems: readonly RowProblem[];
}

/**
 * On failure, a call rejects with a `FaultError` whose message says what to do. `PickedFile` is `File` in the
 * browser.
 */
export interface RecordedImporter<PickedFile> {
  /** Opens JSONL, a JSON list, CSV, TSV or Parquet. The file name decides the format. All but Parquet may be gzipped. */
  openFile(file: PickedFile, signal: AbortSignal): Promise<Table>;
  /** Suggests `score` if a row of the preview has a score, or if no row can be read. Otherwise suggests `answer`. */
  suggestGrading(table: Pick<Table, 'preview'>): RecordedGrading['by'];
  /**
   * Reads the whole table, and stores nothing.
   * @param onprogress receives the bytes read, and the size of the file in bytes. The size is 0 if it is unknown
   */
  preview(
    table: Table,
    grading: RecordedGrading,
    signal: AbortSignal,
    onprogress: (read: number, of: number) => void,
  ): Promise<RecordedPreview>;
  /** Reads the table again and stores it. Rejects if the same table is already stored, or if no row can be used. */
  add(
    table: Table,
    options: { readonly name: string; readonly grading: RecordedGrading },
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

export type AnswerGrader = (typeof ANSWER_GRADERS)[number];

/** Graders of recorded answers. Graders of programs are left out, because they need tests, which these tables don't have. */
export const ANSWER_GRADERS = [
  'exact',
  'mathematics',
  'rlpr',
  'letter',
  'pattern',
  'judge',
  'person',
] as const satisfies readonly GraderKind[];

export function createRecordedImporter<PickedFile>({
  tables,
  store,
  batches,
  clock,
}: RecordedImportDependencies<PickedFile>): RecordedImporter<PickedFile> {
  return {
    openFile: (file, signal) => tables.openFile(file, signal),
    suggestGrading({ preview }) {
      const rows = preview.flatMap((row) => {
        const read = readRecordedRow(row);
        return read.ok ? read.row : [];
      });
      const hasScores = rows.some(({ score }) => score !== null);
      return hasScores || rows.length === 0 ? 'score' : 'answer';
    },
    async preview(table, grading, signal, onprogress) {
      const { tasks, workers, problems } = await readTable(table, { grading }, signal, onprogress);
      const outcomes = new Map<string, number>();
      for (const { worker } of tasks.flatMap(({ recorded = [] }) => recorded)) {
        outcomes.set(worker, (outcomes.get(worker) ?? 0) + 1);
      }
      return {
        tasks: tasks.length,
        workers: workers.map((name) => ({ name, outcomes: outcomes.get(name) ?? 0 })),
        problems,
      };
    },
    async add(table, { name, grading }, signal, onprogress) {
      const read = await readTable(table, { grading }, signal, onprogress);
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
  'No row of this table can be used. Each row needs a question, the name of a worker, and a score or an answer.';

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
