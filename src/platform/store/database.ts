/**
 * @file The one connection to IndexedDB. It opens when it is first needed, gives way to a tab that brings a newer version,
 * and is opened again, with the work done once more, when the browser has dropped it. Browsers do: see `isConnectionLost`.
 */
import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { isConnectionLost, storageBlocked, storageFault, storageMissing } from './storage-faults';
import { MIGRATIONS, type Migration, type PodiumSchema } from './migrations';

type Connection = IDBPDatabase<PodiumSchema>;
export type StoreName = StoreNames<PodiumSchema>;
export type Mode = 'readonly' | 'readwrite';
export type Transaction<Names extends StoreName[], Kind extends Mode> = IDBPTransaction<PodiumSchema, Names, Kind>;

/** All that is kept of runs: one scope for every transaction on them. */
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
   * Does some work in one transaction and resolves with its result once that is complete; if the work throws, nothing of
   * it is kept. The work may be done more than once, so it must change nothing but the database, and wait for nothing else.
   * Rejects with a `FaultError` (`storage-full`, `storage-failed`).
   */
  transact<Names extends StoreName[], Kind extends Mode, Result>(
    names: Names,
    mode: Kind,
    work: (transaction: Transaction<Names, Kind>) => Promise<Result>,
    durability?: IDBTransactionDurability,
  ): Promise<Result>;
  /** Gives the connection up. The next transaction opens a new one. */
  close(): void;
}

/** The database of the page, which its Workers share. */
export const DATABASE = 'podium';

export interface DatabaseOptions {
  /** Default `DATABASE`. */
  readonly name?: string;
  readonly migrations?: readonly Migration[];
  /** How long other tabs may take to make way for a newer version before that is a fault, in ms. Default 3000. */
  readonly patience?: number;
  /** Pauses before each new try on a new connection, in ms; as many tries as there are pauses. Default `[0, 200]`. */
  readonly pauses?: readonly number[];
}

export function createDatabase(options: DatabaseOptions = {}): Database {
  const { name = DATABASE, migrations = MIGRATIONS, patience = 3000, pauses = [0, 200] } = options;
  /** Never one that has failed, been closed or been dropped. */
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
        // Another tab brings a newer version, or deletes the database: let it. Transactions under way still finish.
        forget();
        void opened.then((connection) => connection.close());
      },
      terminated: forget,
    });
    // While another tab is in the way every caller is told so; the request goes on and serves as soon as it is through.
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
  // Heard from the start, so that no failure goes unheard while the work is still on its way.
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
    // A request that fails with its transaction says only that it was aborted; the transaction knows why.
    throw transaction.error ?? thrown;
  }
}
