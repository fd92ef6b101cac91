/**
 * @file In-memory services for tests of pages: real runs, the real executor and scripted workers. A test can make the calls of
 * workers wait or fail.
 */
import type { Archive, LocalModels, Services } from '../../../src/app/services';
import { createHeuristicConductor, HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import {
  DEFAULT_PREFERENCES,
  fault,
  loadOnce,
  ROLES,
  type ChangeNotices,
  type Effort,
  type Clock,
  type PoolWorker,
  type Preferences,
  type WorkerClient,
  type WorkerEvent,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import type { Searches } from '../../../src/core/lessons/searches';
import { createRuns } from '../../../src/core/runs/run-keeper';
import { createPairDesk } from '../../../src/core/runs/pairs/pair-desk';
import { presetOf, PROVIDERS } from '../../../src/platform/workers/providers';
import { createModelHost } from '../../../src/platform/engine/host';
import { createInstall } from '../../../src/platform/install';
import { watchUpdates } from '../../../src/platform/updates';
import { readPoolFile, writePoolFile } from '../../../src/platform/store/pool-file';
import { createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { memoryIndex } from '../../fixtures/memory-index';
import { isMarked } from '../../fixtures/only-marked';
import { MemoryLocks, MemoryNotices } from '../../fixtures/memory-locks';
import { MemorySpending } from '../../fixtures/memory-spending';
import { MemoryStore } from '../../fixtures/memory-store';
import { imageFile, memoryImages, questionFile } from '../../fixtures/memory-images';
import { memorySetups } from '../../fixtures/memory-setups';
import { memoryVault } from '../../fixtures/memory-vault';
import { testPasskeys } from '../../fixtures/test-passkeys';
import { POOL } from '../scripted-runs';
import { ScriptedSentenceModels } from '../scripted-sentence-models';

/** Fixed strengths, so that the plan is predictable: Birch solves, Cedar verifies, Alder decides. */
const BEST_AT = ['decide', 'solve', 'verify', 'refine', 'aggregate'] as const;

function strengthsOf(index: number): PoolWorker['strengths'] {
  return Object.fromEntries(ROLES.map((role) => [role, role === BEST_AT[index] ? 0.9 : 0.1]));
}

/** A clock that never advances. Its sleeps end at once. */
const still: Clock = { now: () => 1_760_000_000_000, monotonic: () => 0, sleep: () => Promise.resolve() };

const NO_FOLDERS = {
  access: () => Promise.resolve('gone' as const),
  reopen: () => Promise.resolve(false),
  forget: () => Promise.resolve(),
};

const noEngine = () => Promise.reject(new Error('none'));

/** The services for local models on a machine that can't load any. */
function noModels(): LocalModels {
  const host = createModelHost({
    loaders: { webllm: noEngine, transformers: noEngine, browser: noEngine },
  });
  return {
    host,
    own: { list: () => Promise.resolve([]), put: () => Promise.resolve(), delete: () => Promise.resolve() },
    folders: { canPick: false, pick: () => Promise.resolve(null), register: () => null, ...NO_FOLDERS },
    desk: () => Promise.reject(new Error('Models must not be read.')),
  };
}

export const PRESETS = { providers: PROVIDERS, providerOf: presetOf };

/** An archive with only the given methods. The others throw. */
export function scriptedArchive(verbs: Partial<Archive>): Archive {
  const unexpected = () => {
    throw new Error('This method must not be called.');
  };
  return {
    backup: unexpected,
    inspect: unexpected,
    restore: unexpected,
    exportRuns: unexpected,
    exportAs: unexpected,
    importRuns: unexpected,
    largestRuns: unexpected,
    ...verbs,
  };
}

const noSearch = () => Promise.reject(new Error('There is no search.'));
const NO_SEARCHES: Searches = {
  list: () => Promise.resolve([]),
  open: () => Promise.resolve(null),
  live: () => null,
  isBusy: () => Promise.resolve(false),
  start: noSearch,
  resume: noSearch,
  prove: noSearch,
  ablate: noSearch,
  raise: noSearch,
  proveAgain: noSearch,
  remove: noSearch,
};

export interface ConductStage {
  readonly services: Services;
  readonly store: MemoryStore;
  /** The change notices as another tab sends and receives them. */
  readonly otherTab: ChangeNotices;
  /** Names of the called workers, in order. */
  readonly calls: string[];
  /** Lets waiting and future calls finish. */
  release(): void;
  /** Calls to the worker with this name fail from now on. `null`: no calls fail. */
  refuse(name: string | null): void;
  preferences(): Preferences;
}

interface StageOptions {
  /** Whether calls wait for `release` before they end. Default: no. */
  readonly held?: boolean;
  /** Default: `thorough`, because most tests need plans of five steps. */
  readonly effort?: Effort;
  readonly store?: MemoryStore;
}

export function conductStage(options: StageOptions = {}): ConductStage {
  const { held = false, effort = 'thorough', store = new MemoryStore() } = options;
  const hub = new MemoryNotices();
  const notices = hub.tab();
  const calls: string[] = [];
  let refused: string | null = null;
  let open: () => void = () => undefined;
  const gate = held ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
  const client: WorkerClient = {
    async *run(_messages, { worker }, signal): AsyncGenerator<WorkerEvent> {
      calls.push(worker.name);
      if (worker.name === refused) {
        const unreachable = fault('unreachable', `${worker.name} could not be reached.`);
        yield { type: 'failed', fault: unreachable, usage: null, cost: null };
        return;
      }
      yield { type: 'delta', channel: 'content', text: `${worker.name} says four.` };
      const stopped = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')), { once: true }),
      );
      await Promise.race([gate, stopped]);
      yield { type: 'finished', usage: { input: 10, output: 4 }, cost: 0, finishReason: 'stop' };
    },
  };
  const heuristic = createHeuristicConductor();
  let preferences: Preferences = { ...DEFAULT_PREFERENCES, effort };
  let ids = 0;
  const runs = createRuns({
    store,
    locks: new MemoryLocks().tab(),
    notices,
    clock: still,
    workers: () => client,
    conductorFor: () => heuristic,
    current: () => {
      const { caps, dayUsd, temperature, maxTokens, candidates, isPrivate, approval } = preferences;
      const sampling = { temperature, maxTokens };
      return Promise.resolve({ workers: POOL, caps, dayUsd, sampling, candidates, isPrivate, approval });
    },
    newId: () => `run-${++ids}`,
    newSeed: () => 1,
    execute,
  });
  const pairs = createPairDesk({
    runs,
    locks: new MemoryLocks().tab(),
    clock: still,
    workers: () => client,
    dayFor: () => null,
    isPrivate: () => preferences.isPrivate,
  });
  const services: Services = {
    runs,
    confirmations: { answerWith: () => () => undefined },
    preloadExecutor: () => undefined,
    app: {
      version: '0.0.0',
      install: () => Promise.resolve(createInstall({ event: null, changed: () => undefined })),
      updates: () => watchUpdates({ reload: () => undefined }),
    },
    store,
    spending: new MemorySpending(still, null),
    notices,
    setups: memorySetups().setups,
    connections: memorySetups().connections,
    modelLists: () => Promise.resolve({ read: () => Promise.resolve(null), put: () => Promise.resolve() }),
    adoptKeys: () => Promise.resolve(false),
    keys: { get: () => null, set: () => undefined, forget: () => undefined },
    vault: memoryVault(),
    passkeys: () => Promise.resolve(testPasskeys()),
    signIn: { start: () => Promise.resolve(), outcome: Promise.resolve(null) },
    presets: () => Promise.resolve(PRESETS),
    preferences: {
      read: () => Promise.resolve(preferences),
      write: (next) => Promise.resolve(void (preferences = { ...preferences, ...next })),
    },
    knownPrice: () => Promise.resolve(null),
    readPoolFile: async (text) => readPoolFile(text),
    poolFile: (pool) => Promise.resolve(writePoolFile(pool, '0.0.0')),
    knownModels: () => Promise.resolve([]),
    tools: [],
    simulated: POOL.map((worker, index) => ({ ...worker, strengths: strengthsOf(index) })),
    conductors: () => [{ info: HEURISTIC_INFO, description: 'Plans at once.', instant: true }],
    conductor: () => heuristic,
    tester: () => Promise.reject(new Error('Conduct tests no workers.')),
    models: noModels(),
    sentenceModels: () => Promise.resolve(new ScriptedSentenceModels()),
    addressCheck: () => Promise.resolve((baseUrl: string) => ({ ok: true as const, baseUrl, hint: null })),
    archive: () => Promise.reject(new Error('The archive must not be opened.')),
    replayFiles: () => Promise.reject(new Error('Replay files must not be written.')),
    measuredChecks: () => Promise.resolve([]),
    analyst: () => Promise.reject(new Error('No answers are compared.')),
    pairs: () => Promise.resolve(pairs),
    measuring: () => Promise.reject(new Error('No workers are measured.')),
    training: () => Promise.reject(new Error('Training must not be opened.')),
    evaluation: () => Promise.reject(new Error('Evaluation must not be opened.')),
    learning: () =>
      Promise.resolve({
        searches: NO_SEARCHES,
        datasets: { ...createMemoryDatasetStore(), testTasks: () => Promise.resolve([]) },
        confidentiality: () => Promise.resolve(isMarked),
      }),
    runIndex: loadOnce(() => Promise.resolve(memoryIndex(store, hub.tab()))),
    storage: {
      estimate: () => Promise.resolve(null),
      persist: () => Promise.resolve(null),
      use: () => Promise.resolve(null),
      persistsSilently: () => false,
    },
    lostRuns: { find: () => Promise.resolve(null), dismiss: () => Promise.resolve() },
    images: memoryImages(),
    prepareImage: async (file) => imageFile(await file.text()),
    readFile: async (file) => questionFile(await file.text(), { name: file.name }),
  };
  return {
    services,
    store,
    otherTab: hub.tab(),
    calls,
    release: () => open(),
    refuse: (name) => (refused = name),
    preferences: () => preferences,
  };
}
