/** @file Composes evaluation: stores, the importer of datasets, graders, the Worker that plays batches, and their runner. */
import type { EvaluationDesk } from '../../app/services';
import type { Conductor, ConductorInfo } from '../../core/contract';
import { createBatchRunner } from '../../core/evaluation/batches';
import { createDatasetImporter } from '../../core/evaluation/datasets';
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import type { Runs } from '../../core/runs';
import { systemClock } from '../../platform/clock';
import { createTableOpener } from '../../platform/datasets/table-opener';
import { whenKept } from '../../platform/offline';
import { createBatchStore } from '../../platform/store/batches';
import { createDatasetStore } from '../../platform/store/datasets';
import { loadPolicyCheckpoint } from '../policy-checkpoint';
import type { StorageParts } from '../storage';
import { gradersWith } from './graders';
import { createPlayDesk } from './play-desk';

/** What evaluation needs of the other parts. */
interface DeskParts {
  readonly runs: Runs;
  readonly conductor: (info: ConductorInfo) => Conductor;
}

export function createEvaluation(storage: StorageParts, { runs, conductor }: DeskParts): EvaluationDesk {
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
}
