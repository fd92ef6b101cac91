/** @file Reads a JSON file that contains a list of objects. Reads entry by entry, so that the whole list is never in memory. */
import { JSONParser } from '@streamparser/json';
import { fault, FaultError, type TablePart } from '../../core/contract';
import type { ByteSource } from './byte-source';
import { readJsonl } from './jsonl';
import { PartBuilder } from './parts';
import { isRow } from './table-values';
import { brokenText, openText } from './text-pieces';

/** Maximum size of one entry, in bytes. Some tasks of LiveCodeBench have tens of MB of tests. */
const LONGEST_ENTRY = 128 * 1024 * 1024;

/**
 * Reads the entries of a list. A file that doesn't begin with `[` is read as JSONL, because JSONL files often have the
 * ending `.json`.
 */
export async function* readJson(source: ByteSource, signal: AbortSignal): AsyncGenerator<TablePart, void, undefined> {
  try {
    yield* (await isList(source, signal)) ? readList(source, signal) : readJsonl(source, signal);
  } catch (thrown) {
    throw brokenText(thrown, source, signal);
  }
}

async function isList(source: ByteSource, signal: AbortSignal): Promise<boolean> {
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(openText(source, signal).bytes)) {
    const text = decoder.decode(chunk, { stream: true }).trimStart();
    if (text !== '') return text.startsWith('[');
  }
  return false;
}

async function* readList(source: ByteSource, signal: AbortSignal): AsyncGenerator<TablePart, void, undefined> {
  const text = openText(source, signal);
  const parts = new PartBuilder();
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let isBroken = false;
  /** Number of bytes read since the last entry. */
  let pending = 0;
  parser.onError = () => void (isBroken = true);
  parser.onValue = ({ value }) => {
    if (isRow(value)) parts.add(value, pending);
    else parts.skip('The entry is not an object.');
    pending = 0;
  };
  let isFirst = true;
  for await (const chunk of chunksOf(text.bytes)) {
    signal.throwIfAborted();
    pending += chunk.length;
    if (pending > LONGEST_ENTRY) throw new FaultError(fault('too-large', tooLarge(source.name)));
    parser.write(isFirst ? withoutMark(chunk) : chunk);
    isFirst = false;
    if (isBroken) break;
    if (parts.isFull) yield parts.flush(text.read());
  }
  if (isBroken) parts.skip('The list is damaged here, so the rest of the file was not read.');
  else if (!parser.isEnded) parts.skip('The list is incomplete. The file may have been cut off.');
  yield parts.flush(text.read());
}

const tooLarge = (name: string) =>
  `An entry of ${name} has more than 128 MB, which is too large for the browser. Save the list as JSONL, or split its entries.`;

/** Removes the byte order mark. */
function withoutMark(chunk: Uint8Array): Uint8Array {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}

/** The chunks of a stream. If the caller stops reading early, the stream is canceled. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
