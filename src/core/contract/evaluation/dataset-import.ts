/** @file The interface of the importer of datasets. */
import type { TextEncoding } from '../text-encoding';
import type { Dataset } from './dataset';
import type { DatasetMap, FieldMap, KnownSet } from './dataset-map';
import type { HubAddress, HubFile, RowProblem, Table } from './table';
import type { EvaluationTask, GraderKind } from './task';

/** A published set that the user can choose from a list. */
export interface KnownSetInfo {
  readonly set: KnownSet;
  readonly title: string;
  readonly grader: GraderKind;
  readonly isConfidential: boolean;
  /** The set's files on the Hugging Face hub. The first file is the default. */
  readonly files: readonly {
    /** A short description of the file's content: “Problems of January to April 2025”. */
    readonly label: string;
    readonly address: Omit<HubAddress, 'token'>;
    /** Whether the hub requires the token of an account that has access. */
    readonly isGated: boolean;
  }[];
}

/** A table, and the known set that it was recognized as. */
export interface DatasetTable extends Table {
  /** The known set. `null`: unknown, so the user has to assign the columns. */
  readonly recognized: KnownSet | null;
  /** Title of this edition of the set, such as `AIME 2024`. Absent: the title of the set. */
  readonly title?: string;
}

/**
 * The result of trying a map on the preview of a table. `skipped`: the rows that it can't convert. `problem`: one sentence about
 * the map, or about the first row.
 */
export type MapCheck =
  | { readonly ok: true; readonly tasks: readonly EvaluationTask[]; readonly skipped: readonly RowProblem[] }
  | { readonly ok: false; readonly problem: string };
export type CheckMap = (table: Pick<Table, 'columns' | 'preview'>, map: DatasetMap) => MapCheck;

/** The result of grading the references of some tasks, each in the form that workers are asked for. */
export interface ReferenceTrial {
  /** Number of tasks that were tried. The graders `puzzle`, `judge`, `person` and `recorded` have nothing to try. */
  readonly tried: number;
  /** The tasks whose reference is not graded as right, with the reason in a sentence. */
  readonly failed: readonly { readonly taskId: string; readonly message: string }[];
  /** Why some tasks could not be tried, as a sentence. `null`: all of them were tried. */
  readonly untried: string | null;
}

export type DatasetImportEvent =
  | {
      readonly kind: 'progress';
      /** Bytes read, and the size of the file in bytes. `of: null`: the size is unknown. */
      readonly read: number;
      readonly of: number | null;
      /** Rows that became tasks, and rows that were skipped. */
      readonly tasks: number;
      readonly skipped: number;
      /** Problems found since the last progress event. An import lists at most 100. */
      readonly problems: readonly RowProblem[];
    }
  | {
      /** Nothing was kept, because some references are not graded as right and the user has not confirmed this. */
      readonly kind: 'doubtful';
      readonly tasks: number;
      readonly doubtful: number;
      readonly first: RowProblem;
    }
  | { readonly kind: 'finished'; readonly dataset: Dataset; readonly skipped: number };

/**
 * On failure, every asynchronous method rejects with a `FaultError`, whose message says what to do. `PickedFile` is `File` on the
 * page.
 */
export interface DatasetImporter<PickedFile> {
  readonly known: readonly KnownSetInfo[];
  /**
   * Opens JSONL, a JSON list, CSV, TSV or Parquet. The file name decides the format. All formats except Parquet may be gzipped.
   * @param encoding encoding of the text. Absent: detected
   */
  openFile(file: PickedFile, signal: AbortSignal, encoding?: TextEncoding): Promise<DatasetTable>;
  openHub(address: HubAddress, signal: AbortSignal, encoding?: TextEncoding): Promise<DatasetTable>;
  /** Lists the files in a repository that are tables. */
  listHub(address: Omit<HubAddress, 'file'>, signal: AbortSignal): Promise<readonly HubFile[]>;
  readonly check: CheckMap;
  /** Grades the references of the tasks. Runs the solutions and tests of programming tasks in the sandbox. */
  tryReferences(tasks: readonly EvaluationTask[], signal: AbortSignal): Promise<ReferenceTrial>;
  /** Suggests a map for a table that is not recognized. */
  suggest(table: Pick<Table, 'columns' | 'preview'> & Partial<Pick<Table, 'source'>>): FieldMap;
  /**
   * Stores the rows as a dataset. Rows that can't become tasks are skipped and reported. The last event is `finished` or
   * `doubtful`. If no row can become a task, the import throws. Nothing is kept if the import throws or the signal aborts.
   */
  import(
    table: Table,
    map: DatasetMap,
    options: {
      readonly name: string;
      /** Whether references that are not graded as right are imported, too. Absent: no. */
      readonly isConfirmed?: boolean;
    },
    signal: AbortSignal,
  ): AsyncIterable<DatasetImportEvent>;
}
