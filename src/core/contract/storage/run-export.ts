/**
 * @file The formats in which runs can be exported for other tools, and the types that describe table columns.
 * core/analysis/exports defines the tables, and docs/files.md documents them.
 */
import type { RunFileOptions } from './archive';

/** A table of a CSV or Parquet file: one row per run, per step or per event. */
export type ExportTableName = 'runs' | 'steps' | 'events';

/** A format and its options. */
export type RunExport =
  | { readonly format: 'csv'; readonly table: ExportTableName }
  | { readonly format: 'parquet'; readonly table: ExportTableName }
  /** OTLP JSON, one line per run. `content`: whether questions, prompts and outputs are included. */
  | { readonly format: 'open-telemetry'; readonly content: boolean }
  /** An eval log for the evaluation framework Inspect. */
  | { readonly format: 'inspect' };

export type RunExportOptions = Omit<RunFileOptions, 'compress'>;

/** A value in a table. A time is a number of ms since the epoch, and JSON is a string. */
export type Cell = string | number | boolean | null;

/**
 * - `integer`: Parquet INT64
 * - `number`: Parquet DOUBLE
 * - `time`: in CSV, an ISO 8601 text in UTC with milliseconds. In Parquet, a timestamp
 * - `json`: JSON text
 */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The unit. `null`: no unit. */
  readonly unit: string | null;
  /** Description for the documentation, including the meaning of an empty cell. */
  readonly about: string;
}
