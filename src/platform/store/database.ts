/**
 * @file The connection to IndexedDB. It opens at its first use and closes when a tab opens a newer version. When the browser has
 * dropped it (see `isConnectionLost`), it is opened again and the work is repeated.
 */
import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { isConnectionLost, storageBlocked, storageFault, storageMissing } from './storage-faults';
import { MIGRATIONS, type Migration, type PodiumSchema } from './migrations';

type Connection = IDBPDatabase<PodiumSchema>;
export type StoreName = StoreNames<PodiumSchema>;
export type Mode = 'readonly' | 'readwrite';
export type Transaction<Names extends StoreName[], Kind extends Mode> = IDBPTransaction<PodiumSchema, Names, Kind>;

/** All stores that hold parts of runs: one scope for every transaction on them. */
export const RUN_STORES: ('chunks' | 'summaries' | 'blobs' | 'images' | 'counts')[] = [
  'chunks',
  'summaries',
  'blobs',
  'images',
  'counts',
];
export type RunTransaction<Kind extends Mode> = Transaction<typeof RUN_STORES, Kind>;

export interface Database {
  /**
   * Runs some work in one transaction and resolves with its result once that is complete. If the work throws, the transaction is
   * rolled back. The work may run more than once, so it must change nothing but the database, and wait for nothing else.
   * Rejects with a `FaultError` (`storage-full`, `storage-failed`).
   */
  transact<Names extends StoreName[], Kind extends Mode, Result>(
    names: Names,
    mode: Kind,
    work: (transaction: Transaction<Names, Kind>) => Promise<Result>,
    durability?: IDBTransactionDurability,
  ): Promise<Result>;
  /** Closes the connection. The next transaction opens a new one. */
  close(): void;
}

/** Name of the page's database, which its Workers share. */
export const DATABASE = 'podium';

export interface DatabaseOptions {
  /** Default `DATABASE`. */
  readonly name?: string;
  readonly migrations?: readonly Migration[];
  /** How long other tabs may block a newer version before that is a fault, ms. Default 3000. */
  readonly patience?: number;
  /** Pauses before each retry on a new connection, ms. One retry for each pause. Default `[0, 200]`. */
  readonly pauses?: readonly number[];
}

export function createDatabase(options: DatabaseOptions = {}): Database {
  const { name = DATABASE, migrations = MIGRATIONS, patience = 3000, pauses = [0, 200] } = options;
  /** Never a connection that has failed, been closed or been dropped. */
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
        // Another tab opens a newer version or deletes the database. Closing lets it, and running transactions still finish.
        forget();
        void opened.then((connection) => connection.close());
      },
      terminated: forget,
    });
    // While another tab blocks the request every caller gets a fault. The request continues and is used once it succeeds.
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
  // Handled from the start, so that no failure goes unhandled while the work is still running.
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
      // It has ended already.
    }
    await done;
    // A request that fails with its transaction reports only that it was aborted. The transaction has the reason.
    throw transaction.error ?? thrown;
  }
}
