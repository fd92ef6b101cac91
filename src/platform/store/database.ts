/**
 * @file The connection to IndexedDB. It opens on first use. It closes when another tab needs to upgrade or delete the database.
 * If the browser drops the connection (see `isConnectionLost`), Podium opens a new connection and repeats the transaction.
 */
import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { MIGRATIONS, type Migration, type PodiumSchema } from './migrations';
import { fault, FaultError, isAbort } from '../../core/contract';

type Connection = IDBPDatabase<PodiumSchema>;
export type StoreName = StoreNames<PodiumSchema>;
export type Mode = 'readonly' | 'readwrite';
export type Transaction<Names extends StoreName[], Kind extends Mode> = IDBPTransaction<PodiumSchema, Names, Kind>;

/** The stores with parts of runs, and the store that lists unindexed runs. A transaction that writes runs uses all of them. */
export const RUN_STORES: ('chunks' | 'summaries' | 'blobs' | 'images' | 'counts' | 'unindexed')[] = [
  'chunks',
  'summaries',
  'blobs',
  'images',
  'counts',
  'unindexed',
];

/** The stores of the index of runs. The index can be rebuilt from the runs. */
export const INDEX_STORES: ('indexHeads' | 'indexChunks' | 'indexDead' | 'indexTail' | 'indexTexts')[] = [
  'indexHeads',
  'indexChunks',
  'indexDead',
  'indexTail',
  'indexTexts',
];

export type RunTransaction<Kind extends Mode> = Transaction<typeof RUN_STORES, Kind>;

export interface Database {
  /**
   * Executes `work` in one transaction. Resolves with the result of `work` once the transaction is complete. If `work` throws,
   * the transaction is rolled back. `work` may be called more than once, so it must change nothing but the database. It must
   * await nothing but the database, because a transaction ends when it has no pending request. Rejects with a `FaultError`.
   */
  transact<Names extends StoreName[], Kind extends Mode, Result>(
    names: Names,
    mode: Kind,
    work: (transaction: Transaction<Names, Kind>) => Promise<Result>,
    durability?: IDBTransactionDurability,
  ): Promise<Result>;
  /** Closes the connection. The next transaction opens a new connection. */
  close(): void;
}

/** Name of the database that the page and its Web Workers share. */
export const DATABASE = 'podium';

export interface DatabaseOptions {
  /** Default `DATABASE`. */
  readonly name?: string;
  readonly migrations?: readonly Migration[];
  /** How long other tabs may block an upgrade before waiting transactions fail, ms. Default 3000. */
  readonly patience?: number;
  /** The pause before each retry on a new connection, ms. The number of pauses is the number of retries. Default `[0, 200]`. */
  readonly pauses?: readonly number[];
}

export function createDatabase(options: DatabaseOptions = {}): Database {
  const { name = DATABASE, migrations = MIGRATIONS, patience = 3000, pauses = [0, 200] } = options;
  /** The connection, which may still be opening. */
  let current: Promise<Connection> | null = null;

  function connect(): Promise<Connection> {
    if (current) return current;
    if (!globalThis.indexedDB) return Promise.reject(storageMissing());
    const forget = () => {
      if (current === waiting || current === opened) current = null;
    };
    let refuse = () => {};
    const refused = new Promise<never>((_, reject) => {
      refuse = () => reject(storageBlocked());
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const opened = openDB<PodiumSchema>(name, migrations.length, {
      upgrade(connection, from, _to, transaction) {
        for (const migrate of migrations.slice(from)) migrate(connection, transaction);
      },
      blocked() {
        timer = setTimeout(refuse, patience);
      },
      blocking() {
        // Another tab is waiting to upgrade or delete the database, so this connection must close. Running transactions still
        // finish.
        forget();
        void opened.then((connection) => connection.close());
      },
      terminated: forget,
    });
    // If another tab blocks an upgrade for longer than `patience`, callers get a fault until the upgrade succeeds. Afterwards,
    // they get the connection.
    const waiting = Promise.race([opened, refused]);
    current = waiting;
    opened
      .then((connection) => {
        if (current === waiting) current = opened;
        else connection.close();
      }, forget)
      .finally(() => clearTimeout(timer));
    return waiting;
  }

  function drop(): void {
    const dropped = current;
    current = null;
    dropped?.then(
      (connection) => connection.close(),
      () => {},
    );
  }

  return {
    async transact(names, mode, work, durability = 'relaxed') {
      for (let attempt = 0; ; attempt++) {
        try {
          return await inTransaction(await connect(), names, mode, work, durability);
        } catch (thrown) {
          const pause = pauses[attempt];
          if (pause === undefined || !isConnectionLost(thrown)) throw storageFault(thrown);
          drop();
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
    },
    close: drop,
  };
}

async function inTransaction<Names extends StoreName[], Kind extends Mode, Result>(
  connection: Connection,
  names: Names,
  mode: Kind,
  work: (transaction: Transaction<Names, Kind>) => Promise<Result>,
  durability: IDBTransactionDurability,
): Promise<Result> {
  const transaction = connection.transaction(names, mode, { durability });
  // This handler is attached before `work` starts. Otherwise, a transaction that fails during `work` causes an
  // unhandled rejection.
  const done = transaction.done.then(
    () => null,
    (thrown: unknown) => ({ thrown }),
  );
  try {
    const result = await work(transaction);
    const failure = await done;
    if (failure) throw failure.thrown;
    return result;
  } catch (thrown) {
    try {
      transaction.abort();
    } catch {
      // The transaction has already ended.
    }
    await done;
    // When a transaction fails, its requests report only that they were aborted. The transaction's error has the reason.
    throw transaction.error ?? thrown;
  }
}

/**
 * Whether an error means that the browser has closed the database connection. A new connection may work.
 * Chromium reports "Internal error opening backing store", and WebKit reports "Connection to Indexed Database
 * server lost". Both are `UnknownError`s. Running transactions fail with an `AbortError`. A transaction that
 * starts on a closing connection throws an `InvalidStateError`.
 */
function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return thrown.name === 'InvalidStateError' || thrown.name === 'UnknownError' || isAbort(thrown);
}

/** Converts any error to a `FaultError`. Returns a `FaultError` unchanged. */
function storageFault(thrown: unknown): FaultError {
  if (thrown instanceof FaultError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  const detail = (thrown instanceof Error ? `${name}: ${thrown.message}` : String(thrown)).slice(0, 500);
  if (name === 'QuotaExceededError') {
    const message =
      'Podium’s storage in this browser is full. Delete runs you no longer need, or free some disk space, then try again.';
    return new FaultError(fault('storage-full', message, { detail }));
  }
  if (name === 'VersionError') return new FaultError(fault('storage-failed', NEWER_VERSION, { detail }));
  if (name === 'SecurityError') return new FaultError(fault('storage-failed', NO_STORAGE, { detail }));
  const message =
    'Couldn’t read or write this browser’s storage. Reload the page. If that doesn’t help, restart the browser.';
  return new FaultError(fault('storage-failed', message, { detail, retryable: isConnectionLost(thrown) }));
}

const NEWER_VERSION = 'A newer version of Podium is open in this browser. Reload this page to update it.';
const NO_STORAGE =
  'This window doesn’t let Podium store data. Some private windows do this. Open Podium in a normal window, or allow this page to store data.';

function storageMissing(): FaultError {
  return new FaultError(fault('storage-failed', NO_STORAGE));
}

function storageBlocked(): FaultError {
  const message = 'An older version of Podium is open in another tab. Close the other tabs, then try again.';
  return new FaultError(fault('storage-failed', message, { retryable: true }));
}
