/**
 * @file A file of lines that only grows. A line is complete when its newline is on disk. If a crash has left a partial last line,
 * opening the file for writing removes it. The caller must make sure that no other process writes to the file.
 */
import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, FaultError } from '../../core/contract';
import { TextReader } from '../../core/contract/text-encoding';
import { LONGEST_LINE } from '../../platform/store/file-limits';
import { UsageError } from '../exit-codes';
import { hasCode, storageFault } from './storage-fault';
import { syncFolderOf } from './whole-file';

/** The position of a line and its length without the newline, both in bytes. */
export interface LinePosition {
  readonly offset: number;
  readonly length: number;
}

const NEWLINE = 10;
/** Number of bytes that are read at a time. */
const BLOCK = 1 << 20;
/** Maximum number of damaged lines that are named. */
const MOST_NAMED = 5;

export class AppendFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #end: number;
  /** Whether the file may end with a partial line that could not be cut off. */
  #isTorn = false;

  private constructor(path: string, handle: FileHandle, end: number) {
    this.path = path;
    this.#handle = handle;
    this.#end = end;
  }

  /**
   * Opens the file for writing. Creates the file and its folder if needed. Throws a `FaultError` on failure, and a `UsageError` if
   * the file is not one of this kind or has several names.
   * @param starts how a line of a file of this kind may start
   */
  static async open(path: string, starts: readonly string[]): Promise<AppendFile> {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await opened(await openOrCreate(path), async (handle) => {
        const { size, nlink } = await checkRegular(path, handle);
        // Under its other name, the file could be locked and written at the same time.
        if (nlink > 1) throw new UsageError(`${path} has a second name (a hard link). Use a copy of the file instead.`);
        const file = new AppendFile(path, handle, size);
        await checkEncoding(handle, path);
        await file.#checkKind(starts);
        await file.#cutTornLine();
        return file;
      });
    } catch (thrown) {
      throw storageFault(path, thrown);
    }
  }

  /** Throws a `UsageError` if no line is of this kind. The partial last line of a file of another kind must not be removed. */
  async #checkKind(starts: readonly string[]): Promise<void> {
    if (this.#end === 0) return;
    let isEmpty = true;
    for await (const { text } of this.lines()) {
      if (starts.some((start) => text.startsWith(start))) return;
      isEmpty = false;
    }
    const head = Buffer.alloc(Math.min(this.#end, Math.max(...starts.map((start) => start.length))));
    await readFully(this.#handle, head, 0);
    const begun = head.toString('utf8');
    if (isEmpty && starts.some((start) => start.startsWith(begun) || begun.startsWith(start))) return;
    throw new UsageError(`${this.path} is a file of another kind. Choose another name, or move the file away.`);
  }

  /** Opens a file only for reading. Another process may write to the file meanwhile. Throws a `FaultError` on failure. */
  static async openToRead(path: string): Promise<AppendFile> {
    try {
      return await opened(await openToRead(path), async (handle) => {
        const { size } = await checkRegular(path, handle);
        await checkEncoding(handle, path);
        return new AppendFile(path, handle, size);
      });
    } catch (thrown) {
      throw storageFault(path, thrown);
    }
  }

  async #cutTornLine(): Promise<void> {
    const block = Buffer.alloc(Math.min(BLOCK, this.#end));
    for (let end = this.#end; end > 0;) {
      const from = Math.max(0, end - block.length);
      const part = block.subarray(0, end - from);
      await readFully(this.#handle, part, from);
      const found = part.lastIndexOf(NEWLINE);
      if (found >= 0) return this.#cutAt(from + found + 1);
      end = from;
    }
    await this.#cutAt(0);
  }

  async #cutAt(end: number): Promise<void> {
    if (end === this.#end) return;
    await this.#handle.truncate(end);
    await this.#handle.sync();
    this.#end = end;
  }

  /**
   * Appends lines. If writing fails, cuts off the part that was written. Calls must not overlap. Throws a `FaultError`
   * (`storage-full`, `storage-failed`).
   * @param isDurable whether to wait until the lines are on disk
   * @returns the position of each line
   */
  async append(lines: readonly string[], isDurable: boolean): Promise<readonly LinePosition[]> {
    if (this.#isTorn) throw new FaultError(fault('storage-failed', tornSentence(this.path)));
    const buffers = lines.map((line) => Buffer.from(`${line}\n`));
    const positions: LinePosition[] = [];
    let offset = this.#end;
    for (const { length } of buffers) {
      positions.push({ offset, length: length - 1 });
      offset += length;
    }
    try {
      await writeFully(this.#handle, Buffer.concat(buffers), this.#end);
      if (isDurable) await this.#handle.datasync();
    } catch (thrown) {
      // Cuts off the partial line, so that the next line does not continue it.
      await this.#handle.truncate(this.#end).catch(() => (this.#isTorn = true));
      throw storageFault(this.path, thrown);
    }
    this.#end = offset;
    return positions;
  }

  /** Reads a line. Throws a `FaultError` if this fails, for example because the file has become shorter. */
  async read({ offset, length }: LinePosition): Promise<string> {
    const buffer = Buffer.alloc(length);
    try {
      await readFully(this.#handle, buffer, offset);
    } catch (thrown) {
      throw storageFault(this.path, thrown);
    }
    return buffer.toString('utf8');
  }

  /** Yields all complete lines in order, up to the current end of the file. */
  lines(): AsyncGenerator<{ readonly text: string; readonly position: LinePosition }> {
    return linesOf(this.#handle, this.#end);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Throws a `FaultError` if the file is UTF-16, which `>` of Windows PowerShell writes. Lines of UTF-8 can't be appended to it, and
 * cutting off a partial line would damage it.
 */
async function checkEncoding(handle: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
  const reader = new TextReader();
  reader.decode(buffer.subarray(0, bytesRead));
  reader.finish();
  if (reader.encoding !== 'utf-16le' && reader.encoding !== 'utf-16be') return;
  const message = `${path} has the encoding UTF-16. Save it as UTF-8, then try again.`;
  throw new FaultError(fault('storage-failed', message));
}

/**
 * Opens a file for writing at any position. Append mode is not used, because a file in this mode can't be truncated on Windows.
 */
async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    // Follows no link: someone else may have made it, and it may be a second name of a file in use.
    return await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  } catch (thrown) {
    if (hasCode(thrown, 'ELOOP')) {
      throw new UsageError(`${path} is a link. Give the name of the file that it leads to, or another name.`);
    }
    if (hasCode(thrown, 'EISDIR')) throw new UsageError(`${path} is a folder. Give the name of a file.`);
    if (!hasCode(thrown, 'ENOENT')) throw thrown;
  }
  const handle = await open(path, 'wx+', 0o600);
  await syncFolderOf(path);
  return handle;
}

/** Opens a file without waiting for another process, as opening a pipe usually does. */
function openToRead(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

async function checkRegular(path: string, handle: FileHandle) {
  const found = await handle.stat();
  if (found.isFile()) return found;
  throw new UsageError(`${path} is a folder, a pipe, a device or a socket. Give the name of a file.`);
}

async function opened(handle: FileHandle, use: (handle: FileHandle) => Promise<AppendFile>): Promise<AppendFile> {
  try {
    return await use(handle);
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

async function readFully(handle: FileHandle, buffer: Buffer, from: number): Promise<void> {
  for (let done = 0; done < buffer.length;) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, from + done);
    if (bytesRead === 0) throw new Error('It is shorter than before.');
    done += bytesRead;
  }
}

async function writeFully(handle: FileHandle, buffer: Buffer, at: number): Promise<void> {
  for (let done = 0; done < buffer.length;) {
    done += (await handle.write(buffer, done, buffer.length - done, at + done)).bytesWritten;
  }
}

function tornSentence(path: string): string {
  return `An earlier write to ${path} failed, and the partial line could not be removed. Run the command again to continue.`;
}

/** A sentence about the damaged lines of a file. @param lines their numbers */
export function damageWords(path: string, lines: readonly number[]): string {
  const named = lines.slice(0, MOST_NAMED).join(', ');
  const more = lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : '';
  return `${path} is damaged in ${lines.length === 1 ? 'line' : 'lines'} ${named}${more}. What they contain is left out. If you have a copy of the file, restore it.`;
}

/** Yields the complete lines of a file that another process may write to. Leaves out a partial last line. */
export async function* readCompleteLines(path: string): AsyncGenerator<string> {
  const file = await AppendFile.openToRead(path);
  try {
    for await (const { text } of file.lines()) yield text;
  } finally {
    await file.close();
  }
}

/** Yields the complete lines. The text of a line that is too long is empty. */
async function* linesOf(
  handle: FileHandle,
  end: number,
): AsyncGenerator<{ readonly text: string; readonly position: LinePosition }> {
  const block = Buffer.alloc(BLOCK);
  let pieces: Buffer[] = [];
  let line = { offset: 0, length: 0 };
  const add = (piece: Buffer) => {
    line.length += piece.length;
    if (line.length <= LONGEST_LINE) pieces.push(piece);
    else pieces = [];
  };
  for (let at = 0; at < end;) {
    const { bytesRead } = await handle.read(block, 0, Math.min(BLOCK, end - at), at);
    if (bytesRead === 0) return;
    const data = block.subarray(0, bytesRead);
    let from = 0;
    for (let newline = data.indexOf(NEWLINE); newline >= 0; newline = data.indexOf(NEWLINE, from)) {
      add(data.subarray(from, newline));
      yield { text: Buffer.concat(pieces).toString('utf8'), position: line };
      pieces = [];
      from = newline + 1;
      line = { offset: at + from, length: 0 };
    }
    // A copy, because the next block overwrites this one.
    add(Buffer.from(data.subarray(from)));
    at += bytesRead;
  }
}
