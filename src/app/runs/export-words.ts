/** @file The formats of the export dialog, in words. */
import type { ExportTableName } from '../../core/contract';
import type { ExportChoice } from './export-choice';

export type ExportFormat = ExportChoice['format'];

interface FormatWords {
  readonly value: ExportFormat;
  readonly label: string;
  readonly note: string;
}

export const EXPORT_FORMATS: readonly FormatWords[] = [
  { value: 'podium', label: 'Podium runs', note: 'Complete runs. Podium can import them again.' },
  { value: 'csv', label: 'CSV table', note: 'For spreadsheets.' },
  { value: 'parquet', label: 'Parquet table', note: 'For DuckDB, pandas and notebooks. Smaller and typed.' },
  { value: 'open-telemetry', label: 'OpenTelemetry traces', note: 'OTLP JSON, for tracing tools.' },
  {
    value: 'inspect',
    label: 'Inspect logs',
    note: 'For the log viewer of Inspect: a ZIP file with a log for each method and dataset.',
  },
  { value: 'rollouts', label: 'GRPO rollouts', note: 'Graded plans, for training a Conductor elsewhere.' },
];

export const TABLES: readonly { readonly value: ExportTableName; readonly label: string }[] = [
  { value: 'runs', label: 'Runs' },
  { value: 'steps', label: 'Steps' },
  { value: 'events', label: 'Events' },
];
