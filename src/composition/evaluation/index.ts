/** @file Creates the evaluation services when Evaluate is first opened: stores, graders, the batch Worker and the batch runner. */
import type { EvaluationServices } from '../../app/services';
import { loadOnce, type Conductor, type ConductorInfo } from '../../core/contract';
import type { Runs } from '../../core/runs';
import { systemClock } from '../../platform/clock';
import { whenKept } from '../../platform/offline';
import { loadPolicyCheckpoint } from '../policy-checkpoint';
import type { StorageParts } from '../storage';

interface Others {
  readonly runs: Runs;
  readonly conductor: (info: ConductorInfo) => Conductor;
}

export function createEvaluation(storage: StorageParts, { runs, conductor }: Others): EvaluationServices['evaluation'] {
  return loadOnce(async () => {
    const [
      { createBatchRunner },
      { createDatasetImporter },
      { withPractice },
      { createPlayDesk },
      { gradersWith },
      { createBatchStore },
      { createDatasetStore },
      { createTableOpener },
    ] = await Promise.all([
      import('../../core/evaluation/batches'),
      import('../../core/evaluation/datasets'),
      import('../../core/evaluation/datasets/practice/with-practice'),
      import('./play-desk'),
      import('./graders'),
      import('../../platform/store/batches'),
      import('../../platform/store/datasets'),
      import('../../platform/datasets/table-opener'),
    ]);
    const stored = createDatasetStore(storage.database, systemClock);
    const datasets = withPractice(stored);
    const importer = createDatasetImporter({
      store: stored,
      tables: createTableOpener(systemClock),
      clock: systemClock,
      newId: () => crypto.randomUUID(),
    });
    const batches = createBatchStore(storage.database);
    const graders = gradersWith(async () => {
      const { createSandbox } = await import('../../platform/sandbox/sandbox');
      return { runCode: createSandbox(systemClock) };
    });
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
    return { datasets, batches, runner, importer };
  }, 'the evaluation');
}
