/** @file Lists the files in a ZIP archive, and counts their real sizes, because the sizes in the list can be wrong. */
import { refused } from './refusals';

export interface ZipEntry {
  readonly name: string;
  /** 0: stored. 8: deflated. */
  readonly method: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** Maximum length of the comment at the end of an archive, and the length of the record before it. */
const LONGEST_END = 0xffff + 22;

/** The files of an archive, by its list at the end, which is also what other readers use. */
export function zipEntries(bytes: Uint8Array<ArrayBuffer>): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const entries: ZipEntry[] = [];
    let at = view.getUint32(endOf(view) + 16, true);
    for (let left = view.getUint16(endOf(view) + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== ENTRY) throw damaged();
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (nameLength ?? 0)));
      const local = view.getUint32(at + 42, true);
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const data = bytes.subarray(start, start + view.getUint32(at + 20, true));
      entries.push({ name, method: view.getUint16(at + 10, true), data });
      at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
    }
    return entries;
  } catch (thrown) {
    throw thrown instanceof RangeError ? damaged() : thrown;
  }
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - LONGEST_END);
  for (let at = view.byteLength - 22; at >= first; at--) if (view.getUint32(at, true) === END) return at;
  throw damaged();
}

/** Counts the decompressed bytes of a file, and stops soon after `most`. */
export async function inflatedSize({ method, data }: ZipEntry, most: number): Promise<number> {
  if (method === 0) return data.length;
  if (method !== 8) throw damaged();
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done && size <= most; read = await reader.read()) {
      size += read.value.length;
    }
  } catch {
    throw damaged();
  }
  await reader.cancel();
  return size;
}

function damaged() {
  return refused('This file is damaged. Open it in another program, save it again, and attach the new file.');
}
