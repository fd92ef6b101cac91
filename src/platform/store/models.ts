/** @file Stores the manifests of the models that the user added, never their weights. */
import * as z from 'zod/mini';
import type { ModelManifest, OwnModels } from '../../core/contract';
import { manifestSchema } from '../../core/contract/model/manifest-schema';
import type { Database } from './database';

export function createOwnModels(database: Database): OwnModels {
  return {
    async list() {
      const values = await database.transact(['models'], 'readonly', (transaction) =>
        transaction.objectStore('models').getAll(),
      );
      const manifests = values.map(read).filter((manifest) => manifest !== null);
      return manifests.toSorted((one, other) => one.label.localeCompare(other.label) || (one.id < other.id ? -1 : 1));
    },
    async put(manifest) {
      await database.transact(['models'], 'readwrite', (transaction) =>
        transaction.objectStore('models').put(manifest, manifest.id),
      );
    },
    async delete(id) {
      await database.transact(['models'], 'readwrite', (transaction) => transaction.objectStore('models').delete(id));
    },
  };
}

/** Returns `null` if the manifest is damaged or was written by a later version of Podium. Such a manifest stays stored. */
function read(value: unknown): ModelManifest | null {
  return z.safeParse(manifestSchema, value).data ?? null;
}
