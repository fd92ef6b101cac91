/**
 * @file Writes whole files, atomically. After a crash, a file has either its old or its complete new content. Decides whether a
 * command may replace a file.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../exit-codes';
import { hasCode, storageFault } from './storage-fault';

/** Maximum size of a file that is read to find out whether it may be replaced, in bytes. */
const MOST_READ = 256 * 2 ** 20;

/** Which files a command may replace. */
export interface Replaceable {
  /** Whether the user has allowed to replace any file. */
  readonly isAnyFile: boolean;
  /** What the replaceable files contain, as in "is not …". */
  readonly kind: string;
  /** Whether the content of a file is of this kind. */
  matches(content: Buffer): boolean;
}

/**
 * Throws a `UsageError` if the path is a link, a folder or a device, or a file that must not be replaced. Call it before the work
 * begins, so that no paid result is lost.
 */
export async function checkReplaceable(path: string, { isAnyFile, kind, matches }: Replaceable): Promise<void> {
  const found = await lstat(path).catch((thrown: unknown) => {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw storageFault(path, thrown);
  });
  if (!found) return;
  if (found.isSymbolicLink()) {
    throw new UsageError(`${path} is a link. Give the name of the file that it leads to, or another name.`);
  }
  if (found.isDirectory()) throw new UsageError(`${path} is a folder. Give the name of a file.`);
  if (!found.isFile()) throw new UsageError(`${path} is a pipe, a device or a socket. Give the name of a file.`);
  if (isAnyFile || found.size === 0 || (found.size <= MOST_READ && matches(await contentOf(path)))) return;
  throw new UsageError(
    `${path} exists, and is not ${kind}. Choose another name, or replace the file with --overwrite.`,
  );
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    const handle = await open(path, 'r');
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw storageFault(path, thrown);
  }
}

/**
 * Replaces the file, and creates its folder if needed. Replaces a link itself, not the file that it leads to. Resolves when the
 * content and the name of the file are on disk. Throws a `FaultError` (`storage-full`, `storage-failed`).
 * @param mode the permissions of the file, which the umask of the process may reduce
 */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const folder = dirname(path);
  // Nobody can know this name before, and plant a link there.
  const part = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID()}.part`);
  try {
    await mkdir(folder, { recursive: true });
    const handle = await open(part, 'wx', mode);
    try {
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
    await syncFolderOf(path);
  } catch (thrown) {
    await rm(part, { force: true }).catch(() => undefined);
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
