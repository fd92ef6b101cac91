/** @file Composes the measurement of workers. Its calls count toward the daily budget. */
import type { MeasuringDesk } from '../app/services';
import type { WorkerDirectory } from '../core/contract';
import { parseMeasurementEvent } from '../core/contract/measurement/measurement-schema';
import { GENERATED_TASKS } from '../core/measurement/session/generated-tasks';
import { Measurer } from '../core/measurement/session/measurer';
import { systemClock } from '../platform/clock';
import { createEventLogs } from '../platform/store/event-logs';
import type { StorageParts } from './storage';

export function createMeasuring(
  { database, locks, spending, preferences }: StorageParts,
  workers: WorkerDirectory,
): MeasuringDesk {
  const logs = createEventLogs(database, 'measurements', parseMeasurementEvent);
  const measurer = new Measurer({
    store: logs,
    tasks: GENERATED_TASKS,
    workers,
    spending,
    locks,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    // Reads the preferences each time, because another tab may have changed them.
    isPrivate: async () => (await preferences.read()).isPrivate,
    report: (thrown) => reportError(thrown),
  });
  return { measurer, logs, tasks: GENERATED_TASKS };
}
