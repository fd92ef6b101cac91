/** @file Composes the service that starts and stores runs, with its Conductors, workers and lazy-loaded executor. */
import type { RunServices, Confirmations } from '../app/services';
import {
  isReal,
  loadOnce,
  publishedRecord,
  toPoolWorker,
  type Conductor,
  type ConductorInfo,
  type KnownModel,
  type QuestionEmbedder,
  type WorkerDirectory,
} from '../core/contract';
import { createRuns } from '../core/runs/run-keeper';
import type { Execute } from '../core/runs/runs';
import type { ContinueQuestion } from '../core/runs/continuation';
import { simulatedPoolWorkers } from '../core/simulation/profiles';
import { systemClock } from '../platform/clock';
import { PYTHON_WORKER } from '../platform/sandbox/python-entry';
import { embeddedConductor } from './conductors';
import { afterFirstPaint } from './first-paint';
import type { StorageParts } from './storage';

/** Number of possible seeds. Seeds have 32 bits, so that every engine accepts them. */
const SEEDS = 2 ** 32;

interface Others {
  readonly workers: WorkerDirectory;
  readonly conductor: (info: ConductorInfo) => Conductor;
  readonly embedder: QuestionEmbedder;
  readonly onDeleted: () => void;
  /** Loads the known models and their published benchmark results. */
  readonly knownModels: () => Promise<readonly KnownModel[]>;
}

export function composeRuns(
  storage: StorageParts,
  { workers, conductor, embedder, onDeleted, knownModels }: Others,
): RunServices {
  const { locks, preferences, setups, spending, services } = storage;
  const confirmations = createConfirmations();
  const measuredChecks: RunServices['measuredChecks'] = async (pool) => {
    // Only real workers can be measured.
    if (!pool.some(isReal)) return [];
    return (await import('./measured-checks')).measuredChecks(storage.database, pool);
  };
  const runs = createRuns({
    store: services.store,
    notices: services.notices,
    locks,
    clock: systemClock,
    spending,
    workers,
    conductorFor: conductor,
    substitute: embeddedConductor(),
    embedder,
    onDeleted,
    execute,
    current: async () => {
      // The preferences are read again, because another tab may have changed them.
      const [{ caps, dayUsd, temperature, maxTokens, candidates, isPrivate, approval }, own] = await Promise.all([
        preferences.read(),
        setups.list(),
      ]);
      const confirmed = own.filter((setup) => !setup.unconfirmed);
      // A run works without published benchmark results, so it starts even if they can't be loaded.
      const published = confirmed.length > 0 ? await knownModels().catch(() => []) : [];
      const added = confirmed.map((setup) => toPoolWorker(setup, publishedRecord(published, setup)));
      const all = [...simulatedPoolWorkers(), PYTHON_WORKER, ...added];
      return { workers: all, caps, dayUsd, sampling: { temperature, maxTokens }, candidates, isPrivate, approval };
    },
    confirm: (question) => confirmations.ask(question),
    measuredChecks,
    countsImportedGrades: () => preferences.known().importedGrades,
    newId: () => crypto.randomUUID(),
    newSeed: () => Math.floor(Math.random() * SEEDS),
    report: (thrown) => reportError(thrown),
  });
  return { runs, confirmations, measuredChecks, preloadExecutor: () => void preloadExecutor() };
}

/** Lazy-loads the executor, because the page can show a plan without it. */
const loadExecutor = loadOnce(() => import('../core/executor/execute'), 'the workflow engine');

/** Executes a run. Throws a retryable `FaultError` before the first event if the executor cannot be loaded. */
const execute: Execute = async function* (request, dependencies, signal) {
  const executor = await loadExecutor();
  yield* executor.execute(request, dependencies, signal);
};

/** Preloads the executor, so that the first run starts at once. If this fails, the first run tries again. */
async function preloadExecutor(): Promise<void> {
  await afterFirstPaint();
  await loadExecutor().catch(() => undefined);
}

/** Passes questions from runs to the page, which asks the user. */
interface ConfirmationChannel extends Confirmations {
  /** Asks the user whether a run may continue. @returns the user's answer. `false` if no page can ask */
  ask(question: ContinueQuestion): Promise<boolean>;
}

function createConfirmations(): ConfirmationChannel {
  let answer: ((question: ContinueQuestion) => Promise<boolean>) | null = null;
  return {
    ask: (question) => answer?.(question) ?? Promise.resolve(false),
    answerWith(given) {
      answer = given;
      return () => {
        if (answer === given) answer = null;
      };
    },
  };
}
