/** @file The pools for the benchmark of everyday questions, and the clients that call their workers. */
import {
  publishedRecord,
  toPoolWorker,
  type PoolWorker,
  type WorkerDirectory,
  type WorkerSetup,
} from '../../../src/core/contract';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';
import { createSimulatedWorkers } from '../../../src/core/simulation/client';
import { simulatedPoolWorkers } from '../../../src/core/simulation/profiles';
import { readPuzzle } from '../../../src/core/tasks';
import { systemClock } from '../../../src/platform/clock';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { createOpenAiWorkers } from '../../../src/platform/workers/openai-client';
import type { EverydayQuestion } from '../../fixtures/everyday/question';
import {
  CONDUCTOR_PRICE,
  EVERYDAY_WORKERS,
  isNearBest,
  SCRIPTED_CONDUCTOR,
  type EverydayWorker,
} from '../../fixtures/everyday/workers';

export interface Pools {
  /** The paper's seven workers. */
  readonly seven: readonly PoolWorker[];
  /** A mixed pool: all simulated workers and one worker of `seven`. */
  readonly withOneReal: readonly PoolWorker[];
  /** The endpoint that writes plans. It is in no pool. */
  readonly scripted: PoolWorker;
  readonly workers: WorkerDirectory;
}

/** Id of the paper's worker in `withOneReal`. */
const ADDED = 'gpt-5';

/** @param url address of the server that answers for the workers */
export function poolsAt(url: string): Pools {
  const setups = EVERYDAY_WORKERS.map((worker, index) => setupOf(url, worker, index));
  const [input, output] = CONDUCTOR_PRICE;
  const writer = { ...base(url), id: SCRIPTED_CONDUCTOR, name: 'Scripted model', mark: 'Sc', colour: 8 };
  const scripted = { ...writer, model: SCRIPTED_CONDUCTOR, price: { input, output } };
  const known = new Map([...setups, scripted].map((setup) => [setup.id, setup]));
  const endpoints = createOpenAiWorkers({
    setup: (id) => known.get(id),
    keys: createMemoryKeys(),
    clock: systemClock,
  });
  const simulated = createSimulatedWorkers({ clock: systemClock, speed: 1000 });
  // As on the page, each worker has the published benchmark results of its model.
  const seven = setups.map((setup) => toPoolWorker(setup, publishedRecord(KNOWN_MODELS, setup)));
  return {
    seven,
    withOneReal: [...simulatedPoolWorkers(), ...seven.filter(({ id }) => id === ADDED)],
    scripted: toPoolWorker(scripted),
    workers: ({ kind }) => (kind === 'simulated' ? simulated : endpoints),
  };
}

function base(url: string) {
  return { baseUrl: url, description: '', needsKey: false };
}

function setupOf(url: string, worker: EverydayWorker, index: number): WorkerSetup {
  const { key, name, model, reasoning, canSee } = worker;
  const [input, output] = worker.price;
  const mark = name.slice(0, 2);
  return { ...base(url), id: key, name, mark, colour: index + 1, model, reasoning, canSee, price: { input, output } };
}

/** Whether the worker can read the question. Simulated workers can read only puzzles. */
export function canRead(worker: PoolWorker | undefined, question: EverydayQuestion): boolean {
  return worker !== undefined && (worker.kind !== 'simulated' || readPuzzle(question.text) !== null);
}

/** Whether the worker is at most two percentage points worse than the best worker in the question's domain. */
export function isFitFor(worker: PoolWorker | undefined, { domain }: EverydayQuestion): boolean {
  const own = EVERYDAY_WORKERS.find(({ key }) => key === worker?.id);
  return own !== undefined && isNearBest(own, domain, 2);
}
