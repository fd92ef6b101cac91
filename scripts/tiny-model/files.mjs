import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * @param {string} folder is made where it is not there
 * @param {Record<string, Buffer>} files by path
 * @returns {Promise<Record<string, number>>} the files' names and their bytes
 */
export async function writeFiles(folder, files) {
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.length]));
}
