/** @file Stores the workers that the user added and their connections, without API keys. */
import {
  isRecord,
  loadOnce,
  withConnection,
  type Connection,
  type Connections,
  type WorkerSetup,
  type WorkerSetups,
} from '../../core/contract';
import { parseConnection, parseWorkerSetup } from '../../core/contract/storage/setup-schema';
import type { Database, Mode, Transaction } from './database';

const STORES: ('setups' | 'connections')[] = ['setups', 'connections'];

export function createWorkerSetups(database: Database): WorkerSetups {
  return {
    /** Returns the workers sorted by name. Leaves out workers that cannot be read. */
    async list() {
      const stored = await database.transact(STORES, 'readonly', read);
      const known = new Set(stored.connections.map(({ id }) => id));
      const isConnected = stored.setups.every(({ connection }) => connection !== undefined && known.has(connection));
      return (isConnected ? connected(stored) : await connect(database)).toSorted(byName);
    },
    async put(setup) {
      await database.transact(['setups'], 'readwrite', (transaction) =>
        transaction.objectStore('setups').put(setup, setup.id),
      );
    },
    async delete(id) {
      await database.transact(['setups'], 'readwrite', (transaction) => transaction.objectStore('setups').delete(id));
    },
  };
}

export function createConnections(database: Database): Connections {
  return {
    /** Returns the connections in the order of their ids. Leaves out connections that cannot be read. */
    list: async () => (await database.transact(STORES, 'readonly', read)).connections,
    put: async (connection, joining) => (await loadChanges()).putConnection(database, connection, joining),
    delete: async (id) => (await loadChanges()).deleteConnection(database, id),
  };
}

/** Lazy-loads the code that changes connections, because most visits change none. */
const loadChanges = loadOnce(() => import('./change-connections'), 'the connections');

interface Stored {
  readonly setups: readonly WorkerSetup[];
  readonly connections: readonly Connection[];
}

type Stores = Pick<Transaction<typeof STORES, Mode>, 'objectStore'>;

async function read(transaction: Stores): Promise<Stored> {
  const [setups, connections] = await Promise.all([
    transaction.objectStore('setups').getAll(),
    transaction.objectStore('connections').getAll(),
  ]);
  return {
    setups: setups.map(parseWorkerSetup).filter((setup) => setup !== null),
    connections: connections.map(parseConnection).filter((connection) => connection !== null),
  };
}

function connected({ setups, connections }: Stored): readonly WorkerSetup[] {
  const known = new Map(connections.map((connection) => [connection.id, connection]));
  return setups.map((setup) => {
    const connection = known.get(setup.connection ?? '');
    return connection ? withConnection(setup, connection) : setup;
  });
}

/** Lazy-loads the code that only workers of older versions and of their backups need. */
const loadConnecting = loadOnce(() => import('../../core/contract/worker/connect-workers'), 'the stored workers');

/** Gives connections to the workers that have none. Stored fields that this version can't read are kept. */
async function connect(database: Database): Promise<readonly WorkerSetup[]> {
  const { connectWorkers } = await loadConnecting();
  return database.transact(STORES, 'readwrite', async (transaction) => {
    const stored = await read(transaction);
    const { setups, created } = connectWorkers(stored.setups, stored.connections);
    const connections = transaction.objectStore('connections');
    await Promise.all(created.map((connection) => connections.put(connection, connection.id)));
    const store = transaction.objectStore('setups');
    for (const { id, connection } of setups) {
      const before = await store.get(id);
      if (isRecord(before) && before.connection !== connection) await store.put({ ...before, connection }, id);
    }
    return setups;
  });
}

function byName(one: WorkerSetup, other: WorkerSetup): number {
  return one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1);
}
