/** @file Lists the files in a ZIP archive and reads them, each by its range of bytes, so that the archive is never whole in memory. */

/** Reads the bytes from `start` to before `end`. */
export type ReadRange = (start: number, end: number) => Promise<ArrayBuffer>;

export interface ZipEntry {
  readonly name: string;
  /** 0: stored. 8: deflated. 93: Zstandard. */
  readonly method: number;
  /** Size in the archive, in bytes. */
  readonly compressed: number;
  /** Size that the archive claims for the decompressed file, in bytes. It can be wrong. */
  readonly size: number;
  /** Where the file's own header begins. */
  readonly at: number;
}

/** The archive is damaged, or it is of a kind that is not read, such as more than 4 GB. */
export class ZipError extends Error {}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const HEADER_LENGTH = 30;
/** Maximum length of the comment at the end of an archive, and the length of the record before it. */
const LONGEST_END = 0xffff + 22;

/** The files of an archive, by its list at the end, which is also what other readers use. Throws a `ZipError`. */
export async function zipEntries(length: number, read: ReadRange): Promise<readonly ZipEntry[]> {
  const end = new DataView(await read(Math.max(0, length - LONGEST_END), length));
  const at = endOf(end);
  const [count, size, start] = [
    end.getUint16(at + 10, true),
    end.getUint32(at + 12, true),
    end.getUint32(at + 16, true),
  ];
  if (start + size > length) throw new ZipError('The list of files is not where the archive says.');
  return entriesIn(new DataView(await read(start, start + size)), count);
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === END) return at;
  throw new ZipError('The archive has no end.');
}

function entriesIn(view: DataView, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  try {
    let at = 0;
    for (let left = count; left > 0; left--) {
      if (view.getUint32(at, true) !== ENTRY) throw new ZipError('The list of files is damaged.');
      const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
      const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
      entries.push({
        name: new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength)),
        method: view.getUint16(at + 10, true),
        compressed: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        at: view.getUint32(at + 42, true),
      });
      at += 46 + nameLength + extraLength + commentLength;
    }
  } catch (thrown) {
    throw thrown instanceof RangeError ? new ZipError('The list of files is cut off.') : thrown;
  }
  return entries;
}

/** The bytes of a file as they are in the archive. */
export async function zipData({ at, compressed }: ZipEntry, read: ReadRange): Promise<Uint8Array<ArrayBuffer>> {
  const header = new DataView(await read(at, at + HEADER_LENGTH));
  if (header.byteLength < HEADER_LENGTH) throw new ZipError('The archive is cut off.');
  const start = at + HEADER_LENGTH + header.getUint16(26, true) + header.getUint16(28, true);
  return new Uint8Array(await read(start, start + compressed));
}

/** Decompresses stored or deflated data, and stops soon after `most` bytes. Throws a `ZipError`. */
export async function* inflated(
  method: number,
  data: Uint8Array<ArrayBuffer>,
  most: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (method === 0) return yield data;
  if (method !== 8) throw new ZipError('The file is compressed in a way that is not read.');
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    let size = 0;
    for (let next = await reader.read(); !next.done && size <= most; next = await reader.read()) {
      size += next.value.length;
      yield next.value;
    }
  } catch {
    throw new ZipError('The file is damaged.');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
