/**
 * @file Types for tables, which are files with rows that can be imported as tasks. A table is a local file or
 * a file on the Hugging Face hub.
 */
import type { TextEncoding } from '../text-encoding';
import type { DatasetSource } from './dataset';

/** `inspect` is the archive format of Inspect's logs, `.eval`. `yaml` has promptfoo's tests. */
export const TABLE_FORMATS = ['jsonl', 'json', 'csv', 'yaml', 'parquet', 'inspect'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** One row, keyed by column name. Values are JSON values: texts, numbers, booleans, `null`, lists and objects. */
export type TableRow = Readonly<Record<string, unknown>>;

/** `mixed`: the values in the preview are of different kinds, or all values are `null` or missing. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'mixed';

export interface TableColumn {
  readonly name: string;
  /** Inferred from the rows of the preview. */
  readonly kind: ColumnKind;
}

/** A row that was skipped. */
export interface RowProblem {
  /** Row number, from 1. The header of a CSV file is not counted. */
  readonly row: number;
  /** The reason, in a sentence. */
  readonly message: string;
}

/** A chunk of rows from `Table.read`, in table order. */
export interface TablePart {
  readonly rows: readonly { readonly row: number; readonly value: TableRow }[];
  /** The damaged rows of the chunk, which were skipped. */
  readonly problems: readonly RowProblem[];
  /** Bytes of the file read so far. */
  readonly read: number;
}

/** An open table file, either local or on the hub. */
export interface Table {
  /** For a file on the hub, `revision` is the commit, even if the user entered a branch. */
  readonly source: Exclude<DatasetSource, { kind: 'practice' }>;
  readonly format: TableFormat;
  readonly columns: readonly TableColumn[];
  /** Size of the file in bytes. `null`: unknown. */
  readonly bytes: number | null;
  /** Number of rows. `null`: unknown, because the format doesn't state it. */
  readonly rowCount: number | null;
  /** The encoding of the text, given by the user or detected in the first rows. Absent: the format has no encoding. */
  readonly encoding?: TextEncoding;
  /** The first rows, 5 at most. */
  readonly preview: readonly TableRow[];
  /**
   * Reads all rows, beginning with the first. Throws a `FaultError`, or an `AbortError` on abort.
   * @param columns the columns to read. Other columns may be missing from the rows. Absent: all columns
   */
  read(signal: AbortSignal, columns?: readonly string[]): AsyncIterable<TablePart>;
}

/** The address of a table on the Hugging Face hub. */
export interface HubAddress {
  /** `owner/name` of a dataset. */
  readonly repository: string;
  /** Branch, tag or commit. Absent: `main`. */
  readonly revision?: string;
  /** Path in the repository. Absent: the only table of the repository. */
  readonly file?: string;
  /** Access token. The token is sent only to the hub, and never stored. */
  readonly token?: string;
}

export interface HubFile {
  readonly path: string;
  /** `null`: the hub doesn't report the size, so the file can't be opened. */
  readonly bytes: number | null;
  readonly format: TableFormat;
}

/**
 * Opens tables. A failed method rejects with a `FaultError` whose message says what to do. `PickedFile` is `File` in the
 * browser.
 */
export interface TableOpener<PickedFile> {
  /**
   * Opens a file with JSONL, a JSON list, CSV, TSV or Parquet, or a log of Inspect or promptfoo. The extension of the file name
   * decides the format. JSONL, JSON, CSV and TSV may be gzipped.
   * @param encoding encoding of the text. Absent: detected
   */
  openFile(file: PickedFile, signal: AbortSignal, encoding?: TextEncoding): Promise<Table>;
  openHub(address: HubAddress, signal: AbortSignal, encoding?: TextEncoding): Promise<Table>;
  /** Lists the files in a repository that are tables. */
  listHub(address: Omit<HubAddress, 'file'>, signal: AbortSignal): Promise<readonly HubFile[]>;
}
