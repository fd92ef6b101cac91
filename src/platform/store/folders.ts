/**
 * @file Handles of the folders that the user picked, by name. A handle is no file: it says where the folder is, and the browser
 * still asks the user before anything is read.
 */
import type { Database } from './database';

export interface FolderHandles {
  /** `null` if there is none of that name, or what lies there is no folder. */
  get(name: string): Promise<FileSystemDirectoryHandle | null>;
  /** Throws a `FaultError`. */
  put(handle: FileSystemDirectoryHandle): Promise<void>;
}

export function createFolderHandles(database: Database): FolderHandles {
  return {
    async get(name) {
      const value = await database.transact(['folders'], 'readonly', (transaction) =>
        transaction.objectStore('folders').get(name),
      );
      return isFolder(value) ? value : null;
    },
    async put(handle) {
      await database.transact(['folders'], 'readwrite', (transaction) =>
        transaction.objectStore('folders').put(handle, handle.name),
      );
    },
  };
}

function isFolder(value: unknown): value is FileSystemDirectoryHandle {
  return typeof FileSystemDirectoryHandle !== 'undefined' && value instanceof FileSystemDirectoryHandle;
}
