/** @file Stores and deletes connections, together with their workers. */
import { withConnection, type Connection } from '../../core/contract';
import { parseWorkerSetup } from '../../core/contract/storage/setup-schema';
import type { Database } from './database';

/** See `Connections`. */
export async function putConnection(
  database: Database,
  connection: Connection,
  joining: readonly string[] = [],
): Promise<void> {
  await database.transact(['setups', 'connections'], 'readwrite', async (transaction) => {
    const store = transaction.objectStore('setups');
    const setups = (await store.getAll()).map(parseWorkerSetup).filter((setup) => setup !== null);
    const workers = setups.filter((setup) => setup.connection === connection.id || joining.includes(setup.id));
    await transaction.objectStore('connections').put(connection, connection.id);
    await Promise.all(workers.map((setup) => store.put(withConnection(setup, connection), setup.id)));
  });
}

/** See `Connections`. */
export async function deleteConnection(database: Database, id: string): Promise<void> {
  await database.transact(['setups', 'connections', 'modelLists'], 'readwrite', async (transaction) => {
    const store = transaction.objectStore('setups');
    const setups = (await store.getAll()).map(parseWorkerSetup).filter((setup) => setup !== null);
    await transaction.objectStore('connections').delete(id);
    await transaction.objectStore('modelLists').delete(id);
    await Promise.all(setups.filter(({ connection }) => connection === id).map((setup) => store.delete(setup.id)));
  });
}
