/**
 * @file Replaces a file atomically. After a crash, the file has either its old or its complete new
 * content.
 */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storageFault } from './storage-fault';

/**
 * Replaces the file. Resolves when its content and its name are on disk. Throws a `FaultError`
 * (`storage-full`, `storage-failed`).
 * @param mode the permissions of the file, which the umask of the process may reduce
 */
export async function writeWholeFile(path: string, text: string, mode = 0o666): Promise<void> {
  try {
    const handle = await open(`${path}.part`, 'w', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.part`, path);
    await syncFolderOf(path);
  } catch (thrown) {
    throw storageFault(path, thrown);
  }
}

/** Syncs the folder of a file to disk. Without this, a power failure may lose a new or renamed file. */
export async function syncFolderOf(path: string): Promise<void> {
  // Windows can't open folders, and some network file systems can't sync them.
  const handle = await open(dirname(path), 'r').catch(() => null);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}
