/** @file Finds the real path of a file, so that a lock under this path covers all names of the file. */
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode, storageFault } from './storage-fault';

/** Follows the links in the path of a file, which may be missing. Throws a `FaultError` if this fails. */
export async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw storageFault(path, thrown);
  }
  // The file is missing, or it is a link to a missing file. The real path of a loop of links fails above.
  const target = await readlink(whole).catch(() => null);
  const folder = dirname(whole);
  if (target !== null) return realPathOf(resolve(folder, target));
  return folder === whole ? whole : join(await realPathOf(folder), basename(whole));
}
