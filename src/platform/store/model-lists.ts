/** @file Stores the list of models that each connection's server returned last. */
import type { ModelLists } from '../../core/contract';
import { parseModelList } from '../../core/contract/storage/model-list-schema';
import type { Database } from './database';

export function createModelLists(database: Database): ModelLists {
  return {
    async read(connection) {
      const value = await database.transact(['modelLists'], 'readonly', (transaction) =>
        transaction.objectStore('modelLists').get(connection),
      );
      return parseModelList(value);
    },
    async put(list) {
      await database.transact(['modelLists'], 'readwrite', (transaction) =>
        transaction.objectStore('modelLists').put(list, list.connection),
      );
    },
  };
}
