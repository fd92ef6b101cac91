/** @file Tables: rows from a file or from the Hugging Face hub, before they become tasks. */
import type { DatasetSource } from './dataset';

export const TABLE_FORMATS = ['jsonl', 'json', 'csv', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** One row, keyed by column name. Values are JSON values: texts, numbers, booleans, `null`, lists and objects. */
export type TableRow = Readonly<Record<string, unknown>>;

/** `mixed`: the values in the preview are of different kinds, or all of them are empty. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'mixed';

export interface TableColumn {
  readonly name: string;
  /** Inferred from the rows of the preview. */
  readonly kind: ColumnKind;
}

/** A row that was skipped. */
export interface RowProblem {
  /** 1-based. The header of a CSV file is not counted. */
  readonly row: number;
  /** The reason, in a sentence. */
  readonly message: string;
}

/** Some rows of a table, in their order. */
export interface TablePart {
  readonly rows: readonly { readonly row: number; readonly value: TableRow }[];
  /** Damaged rows, which were skipped. */
  readonly problems: readonly RowProblem[];
  /** Bytes of the file read so far. */
  readonly read: number;
}

/** An open file, in this browser or on the hub. */
export interface Table {
  /** For the hub, the revision is the commit, even if a branch was requested. */
  readonly source: Exclude<DatasetSource, { kind: 'practice' }>;
  readonly format: TableFormat;
  readonly columns: readonly TableColumn[];
  /** Size of the file in bytes. `null`: unknown. */
  readonly bytes: number | null;
  /** Number of rows. `null`: unknown until the file was read. */
  readonly rowCount: number | null;
  /** The first rows, 5 at most. */
  readonly preview: readonly TableRow[];
  /**
   * Reads all rows, beginning with the first. Throws a `FaultError`, or an `AbortError` on abort.
   * @param columns the columns to read. Rows may lack all other columns. Absent: all columns
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
  /** Access token. It is sent to the hub only, and never stored. */
  readonly token?: string;
}

export interface HubFile {
  readonly path: string;
  /** `null` if the hub doesn't report the size. Such a file can't be opened. */
  readonly bytes: number | null;
  readonly format: TableFormat;
}

/**
 * Opens tables. If a method fails, it rejects with a `FaultError`, whose message says what to do. `PickedFile` is the
 * platform's file type, which the core does not define.
 */
export interface TableOpener<PickedFile> {
  /** Opens JSONL, a JSON list, CSV, TSV or Parquet. The file name decides the format. All but Parquet may be gzipped. */
  openFile(file: PickedFile, signal: AbortSignal): Promise<Table>;
  openHub(address: HubAddress, signal: AbortSignal): Promise<Table>;
  /** The tables in a repository, without other files. */
  listHub(address: Omit<HubAddress, 'file'>, signal: AbortSignal): Promise<readonly HubFile[]>;
}
