/** @file Composes storage: the database and its stores, the locks and messages between tabs, and the Web Workers for files. */
import { version } from '../../package.json';
import type { ImageServices, StorageServices } from '../app/services';
import {
  loadOnce,
  NOTHING_IMPORTED,
  type Connections,
  type ImageStore,
  type ImportCounts,
  type Locks,
  type RestoreOptions,
  type RunFileOptions,
  type Spending,
} from '../core/contract';
import { systemClock } from '../platform/clock';
import { offlineReady } from '../platform/offline';
import { afterFirstPaint } from './first-paint';
import { createDatabase, DATABASE, type Database } from '../platform/store/database';
import { createKeptMarker, type KeptMarker } from '../platform/store/kept-marker';
import { createWebLocks } from '../platform/store/locks';
import { createBroadcastNotices } from '../platform/store/notices';
import { createPreferencesStore } from '../platform/store/preferences';
import { createRunStore, type IndexedRunStore } from '../platform/store/run-store';
import { createConnections, createWorkerSetups } from '../platform/store/setups';
import { createSpending } from '../platform/store/spending';
import { decidesAlone, estimateStorage, persistStorage } from '../platform/store/storage-estimate';
import { rememberPreferences, rememberSetups, type RememberedPreferences, type RememberedSetups } from './remembered';

/** The parts of storage that other parts of the composition use. */
export interface StorageParts {
  readonly database: Database;
  readonly runs: IndexedRunStore;
  readonly locks: Locks;
  readonly images: ImageStore;
  readonly spending: Spending;
  readonly setups: RememberedSetups;
  readonly connections: Connections;
  readonly preferences: RememberedPreferences;
  /**
   * Wraps a change in which a Web Worker stores runs. When the change ends, updates the count of stored runs. This count is
   * kept outside the database (see `KeptMarker`).
   */
  readonly aroundRuns: KeptMarker['around'];
  readonly services: StorageServices & ImageServices;
}

export function composeStorage(): StorageParts {
  const database = createDatabase();
  const marker = createKeptMarker(createRunStore(database, systemClock), () => localStorage, systemClock.now);
  const { store } = marker;
  const locks = createWebLocks();
  const loadUse = loadOnce(() => import('../platform/store/storage-use'), 'the use of storage');
  const loadImages = loadOnce(() => import('../platform/images/prepare-image'), 'the code for attached images');
  const loadFiles = loadOnce(
    () => import('../platform/documents/file-worker/file-desk'),
    'the code for attached files',
  );
  const loadImageStore = loadOnce(() => import('../platform/store/image-store'), 'the store of attached files');
  const imageStore = async () => (await loadImageStore()).createImageStore(database, systemClock);
  const images: ImageStore = {
    put: async (image) => (await imageStore()).put(image),
    putText: async (file) => (await imageStore()).putText(file),
    drop: async (hash) => (await imageStore()).drop(hash),
    // Cleaning up is not urgent, so its code does not delay the first page.
    clearOut: async (keep) => {
      await afterFirstPaint();
      return (await imageStore()).clearOut(keep);
    },
    get: (hash) => store.image(hash),
    getText: async (hash) => (await imageStore()).getText(hash),
  };
  const preferences = rememberPreferences(createPreferencesStore(database));

  const archive = loadOnce(async () => {
    const [{ createArchive }, { createFileDesk }, { createExportDesk }] = await Promise.all([
      import('../platform/store/archive'),
      import('../platform/store/file-worker/file-desk'),
      import('./exports/export-desk'),
    ]);
    const desk = createFileDesk({ clock: systemClock, database: DATABASE, ready: offlineReady });
    const reader = {
      ...desk,
      importRuns: (file: Blob, signal: AbortSignal) =>
        marker.around(desk.importRuns(file, signal), ({ runs }) => addedOf(runs)),
      restore: (file: Blob, options: RestoreOptions, signal: AbortSignal) =>
        marker.around(desk.restore(file, options, signal), ({ parts }) =>
          addedOf(parts.find(({ name }) => name === 'runs')?.counts ?? NOTHING_IMPORTED),
        ),
    };
    const ready = async () => {
      await Promise.all([offlineReady(), store.flush()]);
    };
    const exportAs = createExportDesk({ database: DATABASE, app: version, now: systemClock.now, ready });
    return {
      ...createArchive({ database, store, locks, clock: systemClock, app: version, reader }),
      exportAs,
      exportRuns: ({ compress, ...options }: RunFileOptions) => exportAs({ format: 'podium', compress }, options),
    };
  });

  return {
    database,
    runs: store,
    locks,
    images,
    preferences,
    aroundRuns: (change) => marker.around(change),
    spending: createSpending(database, systemClock, () => crypto.randomUUID()),
    setups: rememberSetups(createWorkerSetups(database)),
    connections: createConnections(database),
    services: {
      store,
      preferences,
      archive,
      images,
      notices: createBroadcastNotices(),
      prepareImage: async (file) => (await loadImages()).prepareImage(file),
      readFile: async (file, signal) => {
        const { readFile } = await loadFiles();
        return readFile(file, { clock: systemClock, ready: offlineReady }, signal);
      },
      storage: {
        estimate: estimateStorage,
        persist: persistStorage,
        use: async () => (await loadUse()).useOfStorage(),
        persistsSilently: decidesAlone,
      },
      lostRuns: { find: () => marker.lost(), dismiss: () => marker.dismiss() },
    },
  };
}

/** How many more items there are after an import or a restore. Negative if there are fewer. */
function addedOf({ added, copied, removed }: ImportCounts): number {
  return added + copied - removed;
}
