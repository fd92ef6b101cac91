/**
 * @file Creates the services of evaluation: the stores and importers of datasets, the graders, and the
 * runner of batches.
 */
import type { EvaluationDesk } from '../../app/services';
import { loadOnce, type Conductor, type ConductorInfo, type WorkerDirectory } from '../../core/contract';
import { createBatchRunner } from '../../core/evaluation/batches/runner';
import type { UnitGraders } from '../../core/evaluation/batches/grading';
import { createRemoval } from '../../core/evaluation/batches/removal';
import { createDatasetImporter } from '../../core/evaluation/datasets/importer';
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import { createRecordedImporter } from '../../core/evaluation/recorded/recorded-import';
import type { Runs, RunsDependencies } from '../../core/runs/runs';
import { systemClock } from '../../platform/clock';
import { createTableOpener } from '../../platform/datasets/table-opener';
import { createTableDesk } from '../../platform/datasets/table-worker/table-desk';
import tableWorker from '../../platform/datasets/table-worker/worker?worker&url';
import { offlineReady } from '../../platform/offline';
import { startWorker } from '../../platform/start-worker';
import { createBatchStore } from '../../platform/store/batches';
import { createDatasetStore } from '../../platform/store/datasets';
import { loadPolicyCheckpoint } from '../policy-checkpoint';
import type { StorageParts } from '../storage';
import { gradersWith } from './graders';
import { createPlayDesk } from './play-desk';

/** Other services that evaluation needs. */
interface DeskParts {
  readonly runs: Runs;
  readonly measuredChecks: NonNullable<RunsDependencies['measuredChecks']>;
  readonly workers: WorkerDirectory;
  readonly conductor: (info: ConductorInfo) => Conductor;
}

/** The services, and the graders for other work on the same tasks. */
export function createEvaluation(
  storage: StorageParts,
  { runs, measuredChecks, workers, conductor }: DeskParts,
): EvaluationDesk & { readonly graders: UnitGraders } {
  const datasets = withPractice(createDatasetStore(storage.database, systemClock));
  const batches = createBatchStore(storage.database);
  const createWorker = () => startWorker(tableWorker, 'table');
  const openTable = createTableDesk({ clock: systemClock, ready: offlineReady, createWorker });
  const tables = createTableOpener(openTable, systemClock);
  const imports = { store: datasets, batches, tables, clock: systemClock };
  const graderParts = loadOnce(async () => {
    const { createGraderParts } = await import('./grader-parts');
    return createGraderParts({ ...storage, workers, clock: systemClock, newId: () => crypto.randomUUID() });
  }, 'the graders');
  const graders = gradersWith(async (judge) => (await graderParts())(judge));
  const player = createPlayDesk({ ready: offlineReady, checkpoint: loadPolicyCheckpoint, around: storage.aroundRuns });
  const runner = createBatchRunner({
    datasets,
    batches,
    locks: storage.locks,
    store: storage.services.store,
    clock: systemClock,
    runs,
    player,
    graders,
    conductorFor: conductor,
    measuredChecks,
    // Reads the preferences each time, because another tab may have changed them.
    isPrivate: async () => (await storage.preferences.read()).isPrivate,
    policyRevision: async () => (await loadPolicyCheckpoint()).revision,
    report: (thrown) => reportError(thrown),
  });
  return {
    datasets,
    batches,
    graders,
    runner,
    removal: createRemoval({ batches, datasets, locks: storage.locks }),
    importer: createDatasetImporter({ ...imports, tryProgram: graders.tryProgram }),
    recorded: createRecordedImporter(imports),
  };
}
