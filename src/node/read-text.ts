/** @file Reads text files that the user names. Folders, pipes and devices are refused, because reading them may never end. */
import { readFile, stat } from 'node:fs/promises';
import { textOf } from '../core/contract/text-encoding';
import { UsageError } from './exit-codes';
import { fileWords } from './store/storage-fault';

/** Maximum size of a file that is read as a whole, in bytes. */
const MOST_BYTES = 256 * 2 ** 20;
/** The names that shells give to the output of another command, such as in `--pool <(…)`. Reading these pipes ends. */
const OF_SHELL = /^\/(?:dev\/fd\/\d+|dev\/stdin|proc\/self\/fd\/\d+)$/;

/**
 * Reads a file. Its encoding is detected, because PowerShell and Windows Notepad also write UTF-16 and byte order marks. Throws a
 * `UsageError` that names the file and the problem.
 */
export async function readTextFile(path: string): Promise<string> {
  const { size } = await checkFile(path);
  if (size > MOST_BYTES) throw new UsageError(`${path} is larger than 256 MB. Give the right file.`);
  try {
    return textOf(await readFile(path));
  } catch (thrown) {
    throw new UsageError(`Couldn’t read ${path}. ${fileWords(thrown)}`);
  }
}

/** Returns the size and the permissions of a file. Throws a `UsageError` if it is missing or is not a regular file. */
export async function checkFile(path: string): Promise<{ readonly size: number; readonly mode: number }> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw new UsageError(`Couldn’t read ${path}. ${fileWords(thrown)}`);
  });
  if (found.isDirectory()) throw new UsageError(`${path} is a folder. Give the name of a file.`);
  if (found.isFile() || (found.isFIFO() && OF_SHELL.test(path))) return found;
  throw new UsageError(`${path} is a pipe, a device or a socket. Give the name of a file.`);
}
