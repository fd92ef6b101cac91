/** @file The file of one measurement. */
import { foldMeasurement } from '../../core/contract/measurement/measurement-state';
import type { MeasurementEvent } from '../../core/contract/measurement/measurement';
import { parseMeasurementEvent } from '../../core/contract/measurement/measurement-schema';
import { checksOfPool } from '../../core/measurement/report/checks';
import { GENERATED_TASKS } from '../../core/measurement/session/generated-tasks';
import type { RunsDependencies } from '../../core/runs/runs';
import { UsageError } from '../exit-codes';
import { readEventFile, type EventFormat } from '../store/event-file';

export const MEASUREMENT_FORMAT: EventFormat<MeasurementEvent> = {
  starts: ['{"id":"', '{"type":"'],
  parse: parseMeasurementEvent,
};

/** What workers said of planted answers in the measurement of a file. */
export async function readMeasuredChecks(path: string): Promise<NonNullable<RunsDependencies['measuredChecks']>> {
  const state = foldMeasurement(await readEventFile(path, MEASUREMENT_FORMAT));
  if (!state) throw new UsageError(`${path} has no measurement. podium measure writes one.`);
  return (pool) => Promise.resolve(checksOfPool(state, GENERATED_TASKS.families, pool));
}
