/** @file Stores the workers that the user added, without their API keys. */
import type { WorkerSetup, WorkerSetups } from '../../core/contract';
import { parseWorkerSetup } from '../../core/contract/storage/setup-schema';
import type { Database } from './database';

export function createWorkerSetups(database: Database): WorkerSetups {
  return {
    /** Returns the workers sorted by name. Leaves out workers that cannot be read. */
    async list() {
      const values = await database.transact(['setups'], 'readonly', (transaction) =>
        transaction.objectStore('setups').getAll(),
      );
      const setups = values.map(parseWorkerSetup).filter((setup) => setup !== null);
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

function byName(one: WorkerSetup, other: WorkerSetup): number {
  return one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1);
}
