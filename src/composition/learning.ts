/** @file Creates the services of searches for lessons. */
import type { LearningDesk } from '../app/services';
import type { Conductor, ConductorInfo, DatasetStore } from '../core/contract';
import type { UnitGraders } from '../core/evaluation/batches/grading';
import { createSearches } from '../core/lessons/searches';
import { parseSearchRecord } from '../core/lessons/stored-search';
import { withTaskSources } from '../core/lessons/tasks/task-sources';
import type { Runs } from '../core/runs/runs';
import { systemClock } from '../platform/clock';
import { openConfidentialityCheck } from '../platform/store/confidential-runs';
import { createEventLogs } from '../platform/store/event-logs';
import type { StorageParts } from './storage';

interface LearningParts {
  readonly datasets: DatasetStore;
  readonly graders: UnitGraders;
  readonly runs: Runs;
  readonly conductor: (info: ConductorInfo) => Conductor;
}

export function createLearning(
  { database, locks, preferences, runs: store }: StorageParts,
  { datasets: stored, graders, runs, conductor }: LearningParts,
): LearningDesk {
  const datasets = withTaskSources({
    datasets: stored,
    store,
    pause: () => systemClock.sleep(0, new AbortController().signal),
    options: async () => ({
      isConfidential: await openConfidentialityCheck(database, store),
      countsImported: (await preferences.read()).importedGrades,
    }),
  });
  const searches = createSearches({
    logs: createEventLogs(database, 'searches', parseSearchRecord),
    locks,
    clock: systemClock,
    runs,
    datasets,
    graders,
    conductorFor: conductor,
    current: () => preferences.read(),
  });
  return { searches, datasets, confidentiality: () => openConfidentialityCheck(database, store) };
}
