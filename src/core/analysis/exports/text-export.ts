/** @file Writes runs as text (CSV, traces or eval logs). The text has a start, a part for each run, and an end. */
import type { RunExport } from '../../contract';
import { CSV_START, csvLine, csvRow } from './csv';
import { LOG_END, logStart, SampleWriter, type LogOptions, type LogOverview } from './inspect-log';
import { traceOf } from './open-telemetry';
import type { RunRecord } from './table';
import { EXPORT_TABLES } from './tables';

export interface TextExport {
  readonly start: string;
  /** Returns the part of a run. Call this method once for each run, in the order of the export. */
  run(record: RunRecord): string;
  readonly end: string;
}

/** Creates the writer of a text export. @param overview facts about all runs of the export */
export function textExport(
  what: Exclude<RunExport, { readonly format: 'parquet' }>,
  options: LogOptions,
  overview: LogOverview,
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
        end: '',
      };
    }
    case 'open-telemetry': {
      const { content } = what;
      const { app } = options;
      return { start: '', run: (record) => `${JSON.stringify(traceOf(record, { content, app }))}\n`, end: '' };
    }
    case 'inspect': {
      const samples = new SampleWriter();
      return { start: logStart(options, overview), run: (record) => samples.sample(record), end: LOG_END };
    }
    default:
      return what satisfies never;
  }
}
