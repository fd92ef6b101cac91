/** @file The tables that can be exported as files. */
import type { ExportTableName } from '../../contract';
import { EVENTS_TABLE } from './events-table';
import { RUNS_TABLE } from './runs-table';
import { STEPS_TABLE } from './steps-table';
import type { FileTable } from './table';

export const EXPORT_TABLES: Readonly<Record<ExportTableName, FileTable>> = {
  runs: RUNS_TABLE,
  steps: STEPS_TABLE,
  events: EVENTS_TABLE,
};
