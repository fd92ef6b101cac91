/**
 * @file Stores handles of the folders that the user picked, each under the id of the model whose files are in the folder. A
 * handle is only a reference to the folder. The browser may still ask the user before files are read.
 */
import type { Database } from './database';

export interface FolderHandles {
  /**
   * @param name the folder's name, under which older versions stored the handle
   * @returns `null` if there is no handle, or if the record is not a folder
   */
  get(modelId: string, name: string): Promise<FileSystemDirectoryHandle | null>;
  /** Rejects with a `FaultError` if storage fails. */
  put(modelId: string, handle: FileSystemDirectoryHandle): Promise<void>;
  /** Rejects with a `FaultError` if storage fails. */
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
