/** @file Composes evaluation when its page is first opened: stores, graders, the Worker that plays batches, and their runner. */
import type { EvaluationServices } from '../../app/services';
import { loadOnce, type Conductor, type ConductorInfo, type WorkerDirectory } from '../../core/contract';
import type { Runs } from '../../core/runs';
import { systemClock } from '../../platform/clock';
import { whenKept } from '../../platform/offline';
import { loadPolicyCheckpoint } from '../policy-checkpoint';
import type { StorageParts } from '../storage';

interface Others {
  readonly runs: Runs;
  readonly workers: WorkerDirectory;
  readonly conductor: (info: ConductorInfo) => Conductor;
}

export function createEvaluation(
  storage: StorageParts,
  { runs, workers, conductor }: Others,
): EvaluationServices['evaluation'] {
  return loadOnce(async () => {
    const [
      { createBatchRunner },
      { createDatasetImporter },
      { withPractice },
      { createRecordedImporter },
      { createPlayDesk },
      { gradersWith },
      { createBatchStore },
      { createDatasetStore },
      { createTableOpener },
    ] = await Promise.all([
      import('../../core/evaluation/batches'),
      import('../../core/evaluation/datasets'),
      import('../../core/evaluation/datasets/practice/with-practice'),
      import('../../core/evaluation/recorded/recorded-import'),
      import('./play-desk'),
      import('./graders'),
      import('../../platform/store/batches'),
      import('../../platform/store/datasets'),
      import('../../platform/datasets/table-opener'),
    ]);
    const stored = createDatasetStore(storage.database, systemClock);
    const datasets = withPractice(stored);
    const parts = {
      store: stored,
      tables: createTableOpener(systemClock),
      clock: systemClock,
      newId: () => crypto.randomUUID(),
    };
    const importer = createDatasetImporter(parts);
    const recorded = createRecordedImporter(parts);
    const batches = createBatchStore(storage.database);
    const graderParts = loadOnce(async () => {
      const { createGraderParts } = await import('./grader-parts');
      return createGraderParts({ ...storage, workers, clock: systemClock, newId: () => crypto.randomUUID() });
    }, 'the graders');
    const graders = gradersWith(async (judge) => (await graderParts())(judge));
    const player = createPlayDesk({ ready: whenKept, checkpoint: loadPolicyCheckpoint, around: storage.aroundRuns });
    const runner = createBatchRunner({
      datasets,
      batches,
      locks: storage.locks,
      clock: systemClock,
      runs,
      player,
      graders,
      conductorFor: conductor,
      report: (thrown) => reportError(thrown),
    });
    return { datasets, batches, runner, importer, recorded };
  }, 'the evaluation');
}
