/**
 * @file Stores handles of the folders that contain the user's own models, each under the id of the model. The browser may ask
 * the user for permission again before Podium can read the files.
 */
import type { Database } from './database';

/** All methods reject with a `FaultError` if storage fails. */
export interface FolderHandles {
  /**
   * @param name the folder's name. Older versions of Podium stored the handle under this name
   * @returns `null` if no handle is stored
   */
  get(modelId: string, name: string): Promise<FileSystemDirectoryHandle | null>;
  put(modelId: string, handle: FileSystemDirectoryHandle): Promise<void>;
  delete(modelId: string): Promise<void>;
}

export function createFolderHandles(database: Database): FolderHandles {
  return {
    async get(modelId, name) {
      const values = await database.transact(['folders'], 'readonly', (transaction) => {
        const folders = transaction.objectStore('folders');
        return Promise.all([folders.get(modelId), folders.get(name)]);
      });
      return values.find(isFolder) ?? null;
    },
    async put(modelId, handle) {
      await database.transact(['folders'], 'readwrite', (transaction) =>
        transaction.objectStore('folders').put(handle, modelId),
      );
    },
    async delete(modelId) {
      await database.transact(['folders'], 'readwrite', (transaction) =>
        transaction.objectStore('folders').delete(modelId),
      );
    },
  };
}

function isFolder(value: unknown): value is FileSystemDirectoryHandle {
  return typeof FileSystemDirectoryHandle !== 'undefined' && value instanceof FileSystemDirectoryHandle;
}
