/** @file Stores the workers that the user added and their connections, without API keys. */
import {
  connectWorkers,
  withConnection,
  type Connection,
  type Connections,
  type WorkerSetup,
  type WorkerSetups,
} from '../../core/contract';
import { isRecord } from '../../core/contract/storage/schema-parts';
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
      const setups = isConnected ? connected(stored) : await database.transact(STORES, 'readwrite', connect);
      return setups.toSorted(byName);
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
    async put(connection, joining = []) {
      await database.transact(STORES, 'readwrite', async (transaction) => {
        const { setups } = await read(transaction);
        const workers = setups.filter((setup) => setup.connection === connection.id || joining.includes(setup.id));
        await transaction.objectStore('connections').put(connection, connection.id);
        const store = transaction.objectStore('setups');
        await Promise.all(workers.map((setup) => store.put(withConnection(setup, connection), setup.id)));
      });
    },
    async delete(id) {
      await database.transact([...STORES, 'modelLists'], 'readwrite', async (transaction) => {
        const { setups } = await read(transaction);
        const workers = setups.filter(({ connection }) => connection === id);
        await transaction.objectStore('connections').delete(id);
        await transaction.objectStore('modelLists').delete(id);
        await Promise.all(workers.map((setup) => transaction.objectStore('setups').delete(setup.id)));
      });
    },
  };
}

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
  return connectWorkers(setups, connections).setups;
}

/**
 * Gives connections to the workers of older versions and of their backups, which have none. Stored fields that this version can't
 * read are kept.
 */
async function connect(transaction: Transaction<typeof STORES, 'readwrite'>): Promise<readonly WorkerSetup[]> {
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
}

function byName(one: WorkerSetup, other: WorkerSetup): number {
  return one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1);
}
