/** @file Reads what the workers of a pool said of planted answers in the measurements of this browser. */
import type { CheckObservation, PoolWorker } from '../core/contract';
import { parseMeasurementEvent } from '../core/contract/measurement/measurement-schema';
import { foldMeasurement } from '../core/contract/measurement/measurement-state';
import { checksOfPool } from '../core/measurement/report/checks';
import type { Database } from '../platform/store/database';
import { createEventLogs } from '../platform/store/event-logs';

export async function measuredChecks(
  database: Database,
  pool: readonly PoolWorker[],
): Promise<readonly CheckObservation[]> {
  const logs = createEventLogs(database, 'measurements', parseMeasurementEvent);
  const heads = await logs.list();
  if (heads.length === 0) return [];
  const { GENERATED_TASKS } = await import('../core/measurement/session/generated-tasks');
  const states = await Promise.all(heads.map(async ({ id }) => foldMeasurement(await logs.read(id))));
  return states.flatMap((state) => (state ? checksOfPool(state, GENERATED_TASKS.families, pool) : []));
}
