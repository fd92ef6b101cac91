/** @file Composes the measurement of workers. Its calls count toward the daily budget. */
import type { MeasuringDesk } from '../app/services';
import type { WorkerDirectory } from '../core/contract';
import { parseMeasurementEvent } from '../core/contract/measurement/measurement-schema';
import type { UnitGraders } from '../core/evaluation/batches/grading';
import { offeredDatasets } from '../core/measurement/session/dataset-tasks';
import { GENERATED_TASKS } from '../core/measurement/session/generated-tasks';
import { Measurer } from '../core/measurement/session/measurer';
import { systemClock } from '../platform/clock';
import { createDatasetStore } from '../platform/store/datasets';
import { createEventLogs } from '../platform/store/event-logs';
import type { StorageParts } from './storage';

/** @param evaluation loads the graders of the datasets that take part */
export function createMeasuring(
  { database, locks, spending, preferences }: StorageParts,
  workers: WorkerDirectory,
  evaluation: () => Promise<{ readonly graders: UnitGraders }>,
): MeasuringDesk {
  const datasets = createDatasetStore(database, systemClock);
  const logs = createEventLogs(database, 'measurements', parseMeasurementEvent);
  const measurer = new Measurer({
    store: logs,
    tasks: GENERATED_TASKS,
    datasets: async () => ({ datasets, graders: (await evaluation()).graders }),
    workers,
    spending,
    locks,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    // Reads the preferences each time, because another tab may have changed them.
    isPrivate: async () => (await preferences.read()).isPrivate,
    report: (thrown) => reportError(thrown),
  });
  return { measurer, logs, tasks: GENERATED_TASKS, datasets: () => offeredDatasets(datasets) };
}
