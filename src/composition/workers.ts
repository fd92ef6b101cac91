/**
 * @file Creates the client for each kind of worker, and the services for setting up workers. The code of a
 * client is lazy-loaded when the client is first called.
 */
import { version } from '../../package.json';
import type { WorkerServices } from '../app/services';
import {
  fault,
  FaultError,
  loadOnce,
  type KeySource,
  type PoolWorker,
  type WorkerClient,
  type WorkerDirectory,
} from '../core/contract';
import { simulatedPoolWorkers } from '../core/simulation/profiles';
import { systemClock } from '../platform/clock';
import { offlineReady } from '../platform/offline';
import { PYTHON_WORKER } from '../platform/sandbox/python-entry';
import type { StorageParts } from './storage';

export interface WorkerParts {
  readonly services: WorkerServices;
  /** Finds the client for a worker. */
  readonly directory: WorkerDirectory;
  /** Calls endpoints, which are workers on servers. */
  readonly endpoints: WorkerClient;
}

interface Others {
  readonly keys: KeySource;
  /** Returns the client of a local model. */
  readonly local: (worker: PoolWorker) => WorkerClient;
}

export function composeWorkers(
  { connections, database, images, locks, setups, spending }: StorageParts,
  { keys, local }: Others,
): WorkerParts {
  const http = loadOnce(async () => {
    const [client, tester, gate, limits, settings] = await Promise.all([
      import('../platform/workers/openai-client'),
      import('../platform/workers/tester'),
      import('../platform/workers/limits/gate'),
      import('../platform/workers/limits/limit-news'),
      import('../platform/workers/settings'),
    ]);
    const shared = {
      clock: systemClock,
      gate: gate.createGate(systemClock, limits.createLimitChannel()),
      refused: settings.createRefusedSettings(),
    };
    const ledger = { spending, locks, newId: () => crypto.randomUUID() };
    return {
      client: client.createOpenAiWorkers({
        ...shared,
        keys,
        images,
        setup: (id) => setups.known.get(id),
        page: window,
      }),
      tester: tester.createWorkerTester({ ...shared, ledger }),
    };
  });
  const prices = loadOnce(() => import('../platform/workers/prices'));
  const knownModels = loadOnce(async () => (await import('../platform/workers/known-models')).KNOWN_MODELS);

  const endpoints = lazyClient(async () => (await http()).client);
  const simulated = lazyClient(
    loadOnce(async () => (await import('../core/simulation/client')).createSimulatedWorkers({ clock: systemClock })),
  );
  const recorded = lazyClient(
    loadOnce(async () => {
      const [{ createRecordedWorkers }, { storedAnswers }, { createDatasetStore }] = await Promise.all([
        import('../core/evaluation/recorded/recorded-worker'),
        import('../core/evaluation/recorded/recorded-answers'),
        import('../platform/store/datasets'),
      ]);
      return createRecordedWorkers({ clock: systemClock, answers: storedAnswers(createDatasetStore(database)) });
    }),
  );
  const python = lazyClient(
    loadOnce(async () => {
      await offlineReady();
      const [{ createPythonWorker }, { createSandbox }] = await Promise.all([
        import('../platform/sandbox/python-worker'),
        import('../platform/sandbox/sandbox'),
      ]);
      return createPythonWorker(createSandbox(systemClock));
    }),
  );

  return {
    endpoints,
    directory: (worker) => clientFor(worker, { simulated, endpoints, python, recorded, local }),
    services: {
      simulated: simulatedPoolWorkers(),
      tools: [PYTHON_WORKER],
      setups,
      connections,
      modelLists: loadOnce(
        async () => (await import('../platform/store/model-lists')).createModelLists(database),
        'the lists of models',
      ),
      presets: loadOnce(async () => {
        const { PROVIDERS: providers, presetOf: providerOf } = await import('../platform/workers/providers');
        return { providers, providerOf };
      }, 'the list of providers'),
      addressCheck: loadOnce(
        async () => (await import('../platform/workers/check-address')).checkAddress,
        'the form of a worker',
      ),
      tester: async () => (await http()).tester,
      knownPrice: async (provider, model) => (await prices()).knownPrice(provider, model),
      knownModels,
      readPoolFile: async (text) => (await import('../platform/store/pool-file')).readPoolFile(text),
      poolFile: async (pool) => (await import('../platform/store/pool-file')).writePoolFile(pool, version),
      spending,
    },
  };
}

/** A client whose code is loaded when the client is first called. */
function lazyClient(load: () => Promise<WorkerClient>): WorkerClient {
  return {
    async *run(messages, options, signal) {
      const client = await load();
      yield* client.run(messages, options, signal);
    },
  };
}

interface Clients {
  readonly simulated: WorkerClient;
  readonly endpoints: WorkerClient;
  readonly python: WorkerClient;
  readonly recorded: WorkerClient;
  readonly local: (worker: PoolWorker) => WorkerClient;
}

/** The client of a worker. Throws a `FaultError` (`worker-missing`) if the worker can't be called. */
function clientFor(worker: PoolWorker, { simulated, endpoints, python, recorded, local }: Clients): WorkerClient {
  switch (worker.kind) {
    case 'simulated':
      return simulated;
    case 'endpoint':
      return endpoints;
    case 'local':
      return local(worker);
    case 'python':
      return python;
    case 'recorded':
      return recorded;
    case 'conductor': {
      const message = `${worker.name} cannot be called in this version of Podium. Choose another worker.`;
      throw new FaultError(fault('worker-missing', message));
    }
    default:
      return worker.kind satisfies never;
  }
}
