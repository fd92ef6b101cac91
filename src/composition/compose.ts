/**
 * @file Creates all services of the app from the implementations in `platform/`. Each group of services
 * has its own file in this folder. Code that the first plan doesn't need is lazy-loaded.
 */
import type { Services } from '../app/services';
import { loadOnce } from '../core/contract';
import { DATABASE } from '../platform/store/database';
import { composeApp } from './app';
import { composeConductors } from './conductors';
import { composeKeys } from './keys';
import { composeModels } from './models';
import { composeRuns } from './runs';
import { composeStorage } from './storage';
import { createTraining } from './training';
import { composeWorkers } from './workers';

export function compose(): Services {
  const storage = composeStorage();
  const keys = composeKeys(storage);
  const models = composeModels(storage);
  const workers = composeWorkers(storage, { keys: keys.keys, local: models.workerClient });
  const conductors = composeConductors({
    setups: storage.setups.known,
    client: workers.endpoints,
    local: models.conductor,
  });
  const runIndex = loadOnce(async () => {
    const { createIndexDesk } = await import('./run-index/index-desk');
    return createIndexDesk({ database: DATABASE, embedder: models.embedder });
  }, 'the search of runs');
  const runs = composeRuns(storage, {
    workers: workers.directory,
    conductor: conductors.conductor,
    embedder: models.embedder,
    // Opens the index, because an index removes the texts of deleted runs only while it is open.
    onDeleted: () => void runIndex().catch(() => undefined),
    knownModels: workers.services.knownModels,
  });
  const evaluation = loadOnce(async () => {
    const { createEvaluation } = await import('./evaluation');
    return createEvaluation(storage, {
      runs: runs.runs,
      measuredChecks: runs.measuredChecks,
      workers: workers.directory,
      conductor: conductors.conductor,
    });
  }, 'the evaluation');
  return {
    ...composeApp(),
    ...storage.services,
    ...keys,
    ...models.services,
    ...workers.services,
    ...conductors,
    ...runs,
    evaluation,
    learning: loadOnce(async () => {
      const [{ createLearning }, parts] = await Promise.all([import('./learning'), evaluation()]);
      return createLearning(storage, { ...parts, runs: runs.runs, conductor: conductors.conductor });
    }, 'the search for lessons'),
    runIndex,
    replayFiles: loadOnce(async () => {
      const { createReplayFiles } = await import('./replay-files');
      return createReplayFiles(storage, keys.keys);
    }, 'the export to replay files'),
    analyst: loadOnce(async () => {
      const { createAnalyst } = await import('./analyst');
      return createAnalyst(storage, { runs: runs.runs, workers: workers.directory, evaluation });
    }, 'the comparison of answers'),
    pairs: loadOnce(async () => {
      const { createPairs } = await import('./pairs');
      return createPairs(storage, { runs: runs.runs, workers: workers.directory });
    }, 'the second answer'),
    measuring: loadOnce(async () => {
      const { createMeasuring } = await import('./measuring');
      return createMeasuring(storage, workers.directory, evaluation);
    }, 'the measurement'),
    training: createTraining(storage.database, () => storage.preferences.known().policy),
  };
}
