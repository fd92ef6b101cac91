/** @file Importing datasets: how the columns of a table become parts of a task, and the interface of the importer. */
import type { TextEncoding } from '../text-encoding';
import type { Domain } from '../worker/domain';
import type { Dataset } from './dataset';
import type { HubAddress, HubFile, RowProblem, Table } from './table';
import type { EvaluationTask, GraderKind } from './task';

/** Published sets whose columns are known. */
export const KNOWN_SETS = [
  'math-500',
  'mmlu',
  'gpqa-diamond',
  'rlpr',
  'livecodebench',
  'bigcodebench',
  'aime-2025',
] as const;
export type KnownSet = (typeof KNOWN_SETS)[number];

/** The text of a question: one column, or a template in which `{{column}}` stands for the text of a column. */
export type QuestionMap =
  { readonly kind: 'column'; readonly column: string } | { readonly kind: 'template'; readonly text: string };

/**
 * The columns with the options of multiple-choice questions. The prompts use the wording of simple-evals, which asks for a last
 * line “Answer: $LETTER”.
 */
export interface ChoiceMap {
  /** One column with a list, or one column for each option. */
  readonly columns: readonly string[];
  /**
   * The content of the reference column: the letter of the right option, its index from 0, or its text. `first`: there is no
   * reference column, because the first option is always right.
   */
  readonly answer: 'letter' | 'index' | 'text' | 'first';
  /** Seed for shuffling the options. The order depends only on the seed and the task. `null`: not shuffled. */
  readonly shuffleSeed: number | null;
}

/** The tests of a programming task. */
export type TestMap =
  | {
      /** Grader `python`: lists of `{ input, output, testtype }`, as in LiveCodeBench. */
      readonly kind: 'cases';
      readonly tests: string;
      /**
       * A column with more tests. It has either the same kind of list, or a Python pickle of the list, compressed with zlib and
       * encoded as base64. `null`: there are no private tests.
       */
      readonly privateTests: string | null;
      /** A column with the name of the function to call. `null`: programs read standard input. */
      readonly functionName: string | null;
    }
  | {
      /** Grader `unittest`: a `unittest.TestCase`, as in BigCodeBench. */
      readonly kind: 'unittest';
      readonly test: string;
      readonly entryPoint: string;
      /** A column with a list of Python packages. `null`: no such column. */
      readonly libraries: string | null;
    };

/** The column for each part of a task. Dots select values inside objects and lists: `reward_model.ground_truth`. */
export interface FieldMap {
  readonly grader: GraderKind;
  readonly domain: Domain;
  readonly question: QuestionMap;
  /**
   * Column of the reference. `null` for the graders `puzzle`, `person`, `python` and `unittest`, and if `choices.answer` is
   * `first`.
   */
  readonly reference: string | null;
  /** Column of the id. `null`: the number of the row is the id. */
  readonly id: string | null;
  /** Column by which samples are stratified. `null`: samples are not stratified. */
  readonly group: string | null;
  /** Required with the grader `letter`, otherwise `null`. */
  readonly choices: ChoiceMap | null;
  /** Required with the graders `python` and `unittest`, otherwise `null`. */
  readonly tests: TestMap | null;
  /** Column of a solution that passes the tests. `null` unless the tasks are programming tasks with solutions. */
  readonly solution: string | null;
  /** Whether exports must not contain the text of the tasks. */
  readonly isConfidential: boolean;
}

/** How rows become tasks: by the built-in map of a known set, or by a map of the table's columns. */
export type DatasetMap =
  { readonly kind: 'known'; readonly set: KnownSet } | { readonly kind: 'columns'; readonly map: FieldMap };

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
}

/**
 * The result of trying a map on the preview of a table. `problem`: one sentence about the map, or about the first row that
 * it can't convert.
 */
export type MapCheck =
  { readonly ok: true; readonly tasks: readonly EvaluationTask[] } | { readonly ok: false; readonly problem: string };
export type CheckMap = (table: Pick<Table, 'columns' | 'preview'>, map: DatasetMap) => MapCheck;

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
  /** Suggests a map for a table that is not recognized. */
  suggest(table: Pick<Table, 'columns' | 'preview'> & Partial<Pick<Table, 'source'>>): FieldMap;
  /**
   * Stores the rows as a dataset. Rows that can't become tasks are skipped and reported. The last event is `finished`. If no row
   * can become a task, the import throws. Nothing is kept if the import throws or the signal aborts.
   */
  import(
    table: Table,
    map: DatasetMap,
    options: { readonly name: string },
    signal: AbortSignal,
  ): AsyncIterable<DatasetImportEvent>;
}
