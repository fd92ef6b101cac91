import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes files into a folder.
 * @param {string} folder created if it does not exist
 * @param {Record<string, Buffer>} files contents by path
 * @returns {Promise<Record<string, number>>} file sizes in bytes, by path
 */
export async function writeFiles(folder, files) {
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.length]));
}
