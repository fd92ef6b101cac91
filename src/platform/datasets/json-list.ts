/** @file Reads a JSON file that contains a list of objects. Reads entry by entry, so that the whole list is never in memory. */
import { JSONParser } from '@streamparser/json';
import { fault, FaultError, type TablePart } from '../../core/contract';
import { TextReader } from '../../core/contract/text-encoding';
import { readText } from '../read-lines';
import type { ByteSource } from './byte-source';
import { readJsonl } from './jsonl';
import { PartBuilder } from './parts';
import { isRow } from './table-values';
import { brokenText, openText } from './text-pieces';

/** Maximum length of one entry, in UTF-16 units. Some tasks of LiveCodeBench have tens of MB of tests. */
const LONGEST_ENTRY = 128 * 1024 * 1024;

/**
 * Reads the entries of a list. A file that doesn't begin with `[` is read as JSONL, because JSONL files often have the
 * ending `.json`.
 */
export async function* readJson(
  source: ByteSource,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  try {
    const isList = await beginsWithBracket(source, new TextReader(decoder.given), signal);
    yield* (isList ? readList : readJsonl)(source, decoder, signal);
  } catch (thrown) {
    throw brokenText(thrown, source, signal);
  }
}

async function beginsWithBracket(source: ByteSource, decoder: TextReader, signal: AbortSignal): Promise<boolean> {
  for await (const piece of readText(openText(source, signal).bytes, decoder)) {
    const text = piece.trimStart();
    if (text !== '') return text.startsWith('[');
  }
  return false;
}

async function* readList(
  source: ByteSource,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  const text = openText(source, signal);
  const parts = new PartBuilder(decoder);
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let isBroken = false;
  /** Length of the text since the last entry, in UTF-16 units. */
  let pending = 0;
  parser.onError = () => void (isBroken = true);
  parser.onValue = ({ value }) => {
    if (isRow(value)) parts.add(value, pending);
    else parts.skip('The entry is not an object.');
    pending = 0;
  };
  for await (const piece of readText(text.bytes, decoder)) {
    signal.throwIfAborted();
    pending += piece.length;
    if (pending > LONGEST_ENTRY) throw new FaultError(fault('too-large', tooLarge(source.name)));
    parser.write(piece);
    if (isBroken) break;
    if (parts.isFull) yield parts.flush(text.read());
  }
  if (isBroken) parts.skip('The list is damaged here, so the rest of the file was not read.');
  else if (!parser.isEnded) parts.skip('The list is incomplete. The file may have been cut off.');
  yield parts.flush(text.read());
}

const tooLarge = (name: string) =>
  `An entry of ${name} has more than 128 million characters, which is too large for the browser. Save the list as JSONL, or split its entries.`;
