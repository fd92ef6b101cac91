/**
 * @file Who is who: puts the implementations of `platform/` behind the interfaces of the core. What is not needed to show the
 * first plan is loaded when it is first used.
 */
import { version } from '../../package.json';
import type { ModelDesk, Services } from '../app/services';
import { createConfirmations } from './confirmations';
import { conductorChoices, conductorFor } from './conductors';
import {
  DEFAULT_PREFERENCES,
  fault,
  FaultError,
  publishedRecord,
  toPoolWorker,
  type ConductorInfo,
  type PoolWorker,
  type Preferences,
  type PreferencesStore,
  type RestoreOptions,
  type WorkerClient,
  type WorkerDirectory,
  type WorkerSetup,
  type WorkerSetups,
  loadOnce,
} from '../core/contract';
import { createRuns } from '../core/runs';
import { simulatedPoolWorkers } from '../core/simulation/profiles';
import { createKeyring } from './keyring';
import { lateExecute, prepareExecute } from './lazy-execute';
import { createLocalModels } from './local-models';
import { systemClock } from '../platform/clock';
import { createPickedFolders } from '../platform/engine/picked-folders';
import { whenKept } from '../platform/offline';
import { PYTHON_WORKER } from '../platform/sandbox/python-entry';
import { createDatabase, DATABASE } from '../platform/store/database';
import { createFolderHandles } from '../platform/store/folders';
import { createImageStore } from '../platform/store/images';
import { createKeptMarker } from '../platform/store/kept-marker';
import { createWebLocks } from '../platform/store/locks';
import { createOwnModels } from '../platform/store/models';
import { createBroadcastNotices } from '../platform/store/notices';
import { createPreferencesStore } from '../platform/store/preferences';
import { createRunStore } from '../platform/store/run-store';
import { createSpending } from '../platform/store/spending';
import { createWorkerSetups } from '../platform/store/setups';
import { decidesAlone, estimateStorage, persistStorage, useOfStorage } from '../platform/store/storage-estimate';
import { checkAddress } from '../platform/workers/check-address';
import { presetOf, PROVIDERS } from '../platform/workers/providers';
import { createSentenceModels } from './sentence-models';
import { createTraining } from './training';

/** The largest seed: seeds are 32-bit, so that every engine takes them. */
const SEEDS = 2 ** 32;

export function compose(): Services {
  const database = createDatabase();
  const marker = createKeptMarker(createRunStore(database, systemClock), () => localStorage, systemClock.now);
  const { store } = marker;
  const images = createImageStore(database, systemClock);
  const notices = createBroadcastNotices();
  const locks = createWebLocks();
  const newId = () => crypto.randomUUID();
  const spending = createSpending(database, systemClock, newId);
  const { keys, vault, signIn } = createKeyring(database);
  const setups = rememberSetups(createWorkerSetups(database));
  const simulated = late(
    loadOnce(async () => (await import('../core/simulation/client')).createSimulatedWorkers({ clock: systemClock })),
  );

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
    return {
      client: client.createOpenAiWorkers({ ...shared, keys, images, setup: (id) => setups.known.get(id) }),
      tester: tester.createWorkerTester({ ...shared, ledger: { spending, locks, newId } }),
    };
  });
  const prices = loadOnce(() => import('../platform/workers/prices'));
  const knownModels = loadOnce(async () => (await import('../platform/workers/known-models')).KNOWN_MODELS);
  const endpoints = late(async () => (await http()).client);
  const python = late(
    loadOnce(async () => {
      await whenKept();
      const [{ createPythonWorker }, { createSandbox }] = await Promise.all([
        import('../platform/sandbox/python-worker'),
        import('../platform/sandbox/sandbox'),
      ]);
      return createPythonWorker(createSandbox(systemClock));
    }),
  );

  const preferences = rememberPreferences(createPreferencesStore(database));
  const sentences = createSentenceModels(database, preferences, createBroadcastNotices('podium-sentence-model'));
  const folders = createPickedFolders(createFolderHandles(database));
  const models = createLocalModels({
    own: createOwnModels(database),
    locks,
    folders,
    loaders: {
      async webllm() {
        await whenKept();
        const { createWebLlmLoader } = await import('../platform/engine/webllm/loader');
        return createWebLlmLoader({ clock: systemClock, folder: folders.filesOf });
      },
      async transformers() {
        await whenKept();
        const [{ createTransformersLoader }, { probeMachine }] = await Promise.all([
          import('../platform/engine/transformers/loader'),
          import('../platform/engine/probe'),
        ]);
        return createTransformersLoader({
          clock: systemClock,
          gpu: async () => (await probeMachine()).gpu,
          folder: folders.filesOf,
        });
      },
    },
    desk: loadOnce(loadModelDesk),
    useGrammar: () => preferences.known().grammar,
  });

  const workers: WorkerDirectory = (worker) =>
    clientFor(worker, { simulated, endpoint: endpoints, local: models.workerClient, python });
  const conductor = (info: ConductorInfo) =>
    conductorFor(info, { setups: setups.known, client: endpoints, local: models.conductor });
  const confirmations = createConfirmations();
  const runs = createRuns({
    store,
    locks,
    notices,
    clock: systemClock,
    spending,
    workers,
    conductorFor: conductor,
    current: async () => {
      // Read anew: another tab may have changed them.
      const [kept, own] = await Promise.all([preferences.read(), setups.list()]);
      const { caps, dayUsd, temperature, maxTokens, isPrivate } = kept;
      const confirmed = own.filter((setup) => !setup.unconfirmed);
      // A run needs no figures: without them, its workers are as if nothing were published of them.
      const published = confirmed.length > 0 ? await knownModels().catch(() => []) : [];
      const workers = [
        ...simulatedPoolWorkers(),
        PYTHON_WORKER,
        ...confirmed.map((setup) => toPoolWorker(setup, publishedRecord(published, setup))),
      ];
      return { workers, caps, dayUsd, sampling: { temperature, maxTokens }, isPrivate };
    },
    confirm: (question) => confirmations.ask(question),
    countsImportedGrades: () => preferences.known().importedGrades,
    newId,
    newSeed: () => Math.floor(Math.random() * SEEDS),
    execute: lateExecute,
    embedder: sentences.embedder,
    report: (thrown) => reportError(thrown),
  });
  return {
    runs,
    confirmations,
    prepare: () => void prepareExecute(),
    store,
    spending,
    notices,
    setups,
    keys,
    vault,
    signIn,
    providers: PROVIDERS,
    providerOf: presetOf,
    preferences,
    images,
    prepareImage: async (file) => (await import('../platform/images/prepare-image')).prepareImage(file),
    models: models.services,
    sentenceModels: sentences.models,
    tester: async () => (await http()).tester,
    knownPrice: async (provider, model) => (await prices()).knownPrice(provider, model),
    knownModels,
    checkAddress,
    archive: loadOnce(async () => {
      const [{ createArchive }, { createFileDesk }] = await Promise.all([
        import('../platform/store/archive'),
        import('../platform/store/file-worker/file-desk'),
      ]);
      const desk = createFileDesk({ clock: systemClock, database: DATABASE, ready: whenKept });
      const reader = {
        ...desk,
        importRuns: (file: Blob, signal: AbortSignal) => marker.around(desk.importRuns(file, signal)),
        restore: (file: Blob, options: RestoreOptions, signal: AbortSignal) =>
          marker.around(desk.restore(file, options, signal)),
      };
      return createArchive({ database, store, locks, clock: systemClock, app: version, reader });
    }),
    training: createTraining(database, () => preferences.known().policy),
    storage: { estimate: estimateStorage, persist: persistStorage, use: useOfStorage, decidesAlone },
    kept: { lost: () => marker.lost(), dismiss: () => marker.dismiss() },
    simulated: simulatedPoolWorkers(),
    tools: [PYTHON_WORKER],
    conductors: conductorChoices,
    conductor,
  };
}

/** The setups with what is known of them at hand, since a call asks for its setup without waiting. */
function rememberSetups(store: WorkerSetups): WorkerSetups & { readonly known: ReadonlyMap<string, WorkerSetup> } {
  const known = new Map<string, WorkerSetup>();
  return {
    known,
    async list() {
      const setups = await store.list();
      known.clear();
      for (const setup of setups) known.set(setup.id, setup);
      return setups;
    },
    async put(setup) {
      await store.put(setup);
      known.set(setup.id, setup);
    },
    async delete(id) {
      await store.delete(id);
      known.delete(id);
    },
  };
}

/** The preferences with the newest at hand, since a plan asks for them without waiting. */
function rememberPreferences(store: PreferencesStore): PreferencesStore & { known(): Preferences } {
  let known = DEFAULT_PREFERENCES;
  /** What was written while one reads: it is newer than what is read. */
  let meanwhile: Partial<Preferences> = {};
  let readers = 0;
  return {
    known: () => known,
    async read() {
      if (readers++ === 0) meanwhile = {};
      try {
        known = { ...(await store.read()), ...meanwhile };
        return known;
      } finally {
        readers--;
      }
    },
    write(fields) {
      known = { ...known, ...fields };
      meanwhile = { ...meanwhile, ...fields };
      return store.write(fields);
    },
  };
}

async function loadModelDesk(): Promise<ModelDesk> {
  const [manifests, probe, fit, cache] = await Promise.all([
    import('../platform/engine/manifests'),
    import('../platform/engine/probe'),
    import('../platform/engine/fit'),
    import('../platform/engine/cache'),
  ]);
  return {
    builtIn: manifests.builtInManifests(),
    favourite: manifests.DEFAULT_MODEL,
    probe: () => probe.probeMachine(),
    fit: fit.fitModel,
    cache: cache.createModelCache(),
  };
}

interface Clients {
  readonly simulated: WorkerClient;
  readonly endpoint: WorkerClient;
  readonly python: WorkerClient;
  readonly local: (worker: PoolWorker) => WorkerClient;
}

/** A client whose code comes when it is first called. */
function late(load: () => Promise<WorkerClient>): WorkerClient {
  return {
    async *run(messages, options, signal) {
      const client = await load();
      yield* client.run(messages, options, signal);
    },
  };
}

function clientFor(worker: PoolWorker, clients: Clients): WorkerClient {
  switch (worker.kind) {
    case 'simulated':
      return clients.simulated;
    case 'endpoint':
      return clients.endpoint;
    case 'local':
      return clients.local(worker);
    case 'python':
      return clients.python;
    case 'conductor': {
      const message = `${worker.name} cannot be called in this version of Podium. Choose another worker.`;
      throw new FaultError(fault('worker-missing', message));
    }
    default:
      return worker.kind satisfies never;
  }
}
