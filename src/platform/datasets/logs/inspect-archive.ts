/** @file Reads an Inspect log in its archive format (`.eval`): a ZIP file with one JSON file for each sample. */
import { fault, FaultError, isRecord, parseJson, type TablePart } from '../../../core/contract';
import { inflated, zipData, zipEntries, ZipError, type ReadRange, type ZipEntry } from '../../zip';
import type { ByteSource } from '../byte-source';
import { PartBuilder } from '../parts';
import { inspectHeader, inspectRow, type InspectHeader } from './inspect-row';

/** Maximum decompressed size of a sample, in bytes. */
const LARGEST_SAMPLE = 128 * 1024 * 1024;
const ZSTANDARD = 93;

/** @param onProgress called after each sample */
export async function* readInspectArchive(
  source: ByteSource,
  onProgress: () => void,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  const read: ReadRange = (start, end) => source.slice(start, Math.min(end, source.size), signal);
  const parts = new PartBuilder();
  try {
    const entries = await zipEntries(source.size, read);
    const header = await headerOf(entries, read);
    // An interrupted evaluation has a journal instead of a header. Its samples are complete.
    if (!header) throw new ZipError('The archive has no header.');
    let done = 0;
    for (const entry of entries) {
      signal.throwIfAborted();
      done += entry.compressed;
      if (!/^samples\/.*\.json$/.test(entry.name)) continue;
      const row = inspectRow(await jsonOf(entry, read), header);
      if (typeof row === 'string') parts.skip(row);
      else parts.add(row, entry.size);
      onProgress();
      if (parts.isFull) yield parts.flush(done);
    }
    yield parts.flush(source.size);
  } catch (thrown) {
    if (!(thrown instanceof ZipError)) throw thrown;
    const message = `${source.name} is damaged, or it is not a log of Inspect. Copy it again.`;
    throw new FaultError(fault('bad-request', message, { detail: thrown.message }));
  }
}

async function headerOf(entries: readonly ZipEntry[], read: ReadRange): Promise<InspectHeader | null> {
  for (const name of ['header.json', '_journal/start.json']) {
    const entry = entries.find((each) => each.name === name);
    const value = entry && (await jsonOf(entry, read));
    const header = isRecord(value) ? inspectHeader(value.eval) : null;
    if (header) return header;
  }
  return null;
}

/** The value of a JSON file. `undefined`: it is too large, or not JSON. */
async function jsonOf(entry: ZipEntry, read: ReadRange): Promise<unknown> {
  const { method, size, compressed } = entry;
  if (size > LARGEST_SAMPLE || compressed > LARGEST_SAMPLE) return undefined;
  const data = await zipData(entry, read);
  const all: Uint8Array<ArrayBuffer>[] = [];
  if (method === ZSTANDARD) await unpackZstandard(data, size, (part) => all.push(part));
  else for await (const part of inflated(method, data, size)) all.push(part);
  return parseJson(await new Blob(all).text());
}

/** Throws a `ZipError` if the data is damaged, or has more than `most` bytes. */
async function unpackZstandard(
  data: Uint8Array,
  most: number,
  use: (part: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const { Decompress } = await import('fzstd');
  let size = 0;
  const stream = new Decompress((part) => {
    size += part.length;
    if (size > most) throw new ZipError('A file is larger than the archive says.');
    use(new Uint8Array(part));
  });
  try {
    stream.push(data, true);
  } catch (thrown) {
    throw thrown instanceof ZipError ? thrown : new ZipError(String(thrown));
  }
}
