/** @file The tables that can be exported as files. */
import type { ExportTableName, RunExport } from '../../contract';
import { EVENTS_TABLE } from './events-table';
import { RUNS_TABLE } from './runs-table';
import { STEPS_TABLE } from './steps-table';
import type { FileTable, RunRecord } from './table';
import { CSV_START, csvLine, csvRow } from './csv';
import type { LogOptions } from './inspect-log';
import { traceOf } from './open-telemetry';

export const EXPORT_TABLES: Readonly<Record<ExportTableName, FileTable>> = {
  runs: RUNS_TABLE,
  steps: STEPS_TABLE,
  events: EVENTS_TABLE,
};

/** Writes runs as text (CSV or traces). The text has a start and a part for each run. */
interface TextExport {
  readonly start: string;
  /** Returns the part of a run. Call this method once for each run, in the order of the export. */
  run(record: RunRecord): string;
}

/** Creates the writer of a text export. */
export function textExport(
  what: Exclude<RunExport, { readonly format: 'parquet' | 'inspect' }>,
  { app }: LogOptions,
): TextExport {
  switch (what.format) {
    case 'csv': {
      const { columns, rowsOf } = EXPORT_TABLES[what.table];
      return {
        start: CSV_START + csvLine(columns.map(({ name }) => name)),
        run: (record) =>
          rowsOf(record)
            .map((row) => csvRow(columns, row))
            .join(''),
      };
    }
    case 'open-telemetry': {
      const { content } = what;
      return { start: '', run: (record) => `${JSON.stringify(traceOf(record, { content, app }))}\n` };
    }
    default:
      return what satisfies never;
  }
}
