/**
 * @file Reads a JSON file that contains a list of objects, an object with such a list or with objects by their ids, or the log of
 * an evaluation by Inspect, promptfoo or HELM. Reads entry by entry, so that the whole list is never in memory.
 */
import { JSONParser } from '@streamparser/json';
import { fault, FaultError, isRecord, type TablePart, type TableRow } from '../../core/contract';
import { TextReader } from '../../core/contract/text-encoding';
import { readText } from '../read-lines';
import type { ByteSource } from './byte-source';
import { readJsonl } from './jsonl';
import { ListScan } from './list-scan';
import { helmRow } from './logs/helm-row';
import { inspectHeader, inspectRow, type InspectHeader } from './logs/inspect-row';
import { lmEvalRow } from './logs/lm-eval-row';
import { promptfooRow } from './logs/promptfoo-row';
import { squadRows } from './logs/squad-rows';
import { PartBuilder } from './parts';
import { brokenText, openText } from './text-pieces';

/** Maximum length of one entry, in UTF-16 units. Some tasks of LiveCodeBench have tens of MB of tests. */
const LONGEST_ENTRY = 128 * 1024 * 1024;

/** The lists in a JSON file that have rows. */
const LISTS = {
  list: ['$.*'],
  // Inspect writes the object `eval` before the samples.
  inspect: ['$.eval', '$.samples.*'],
  promptfoo: ['$.results.results.*'],
} as const;
interface Content {
  /** `objects`: an object with objects by their ids. */
  readonly kind: keyof typeof LISTS | 'objects';
  /** The paths of the lists, and of what is needed to read them. */
  readonly paths: readonly string[];
}

/**
 * Reads the entries of a list or log. A file that begins like neither is read as JSONL, because JSONL files often have the
 * ending `.json`.
 */
export async function* readJson(
  source: ByteSource,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  try {
    const content = await contentOf(source, new TextReader(decoder.given), signal);
    if (content === null) yield* readJsonl(source, decoder, signal);
    else yield* readLists(source, content, decoder, signal);
  } catch (thrown) {
    throw brokenText(thrown, source, signal);
  }
}

/** Both programs write these fields first, in this order. */
const LOGS = {
  inspect: /^\{\s*"version"\s*:\s*\d+\s*,\s*"status"/,
  promptfoo: /^\{\s*"evalId"/,
} as const;
/** A beginning of this length shows the first fields, in UTF-16 units. */
const BEGINNING = 200;

/** `null`: the file has lines. */
async function contentOf(source: ByteSource, decoder: TextReader, signal: AbortSignal): Promise<Content | null> {
  let beginning = '';
  const scan = new ListScan(LONGEST_ENTRY);
  for await (const piece of readText(openText(source, signal).bytes, decoder)) {
    signal.throwIfAborted();
    if (beginning.length <= BEGINNING) {
      beginning = (beginning + piece).trimStart();
      const kind = beginning.length > BEGINNING ? kindOf(beginning) : null;
      if (kind) return { kind, paths: LISTS[kind] };
    }
    if (!scan.add(piece)) break;
  }
  const kind = kindOf(beginning);
  if (kind) return { kind, paths: LISTS[kind] };
  const { found } = scan;
  return found && { kind: found.kind, paths: found.kind === 'list' ? [`$.${found.name}.*`] : ['$.*'] };
}

function kindOf(beginning: string): keyof typeof LISTS | null {
  if (beginning.startsWith('[')) return 'list';
  if (LOGS.inspect.test(beginning)) return 'inspect';
  return LOGS.promptfoo.test(beginning) ? 'promptfoo' : null;
}

async function* readLists(
  source: ByteSource,
  { kind, paths }: Content,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  const text = openText(source, signal);
  const parts = new PartBuilder(decoder);
  const parser = new JSONParser({ paths: [...paths], keepStack: false });
  let header: InspectHeader | null = null;
  let isBroken = false;
  /** Length of the text since the last entry, in UTF-16 units. */
  let pending = 0;
  parser.onError = () => void (isBroken = true);
  parser.onValue = ({ value, key }) => {
    if (kind === 'inspect' && key === 'eval') header = inspectHeader(value);
    else {
      const rows =
        kind === 'inspect'
          ? [sampleRow(value, header)]
          : entryRows(value, kind === 'objects' ? key : null, source.name);
      for (const row of rows) {
        if (typeof row === 'string') parts.skip(row);
        else parts.add(row, pending / rows.length);
      }
    }
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

/**
 * The rows of an entry. A text in place of a row: why it can't be read, as a sentence.
 * @param id the name of the entry, if it has one
 */
function entryRows(value: unknown, id: unknown, file: string): readonly (TableRow | string)[] {
  if (!isRecord(value)) return ['The entry is not an object.'];
  if (typeof id === 'string') return [{ id, ...value }];
  return squadRows(value) ?? [promptfooRow(value) ?? lmEvalRow(value, file) ?? helmRow(value) ?? value];
}

function sampleRow(value: unknown, header: InspectHeader | null): TableRow | string {
  return header ? inspectRow(value, header) : 'The log does not say which model answered.';
}

const tooLarge = (name: string) =>
  `An entry of ${name} has more than 128 million characters, which is too large for the browser. Save the list as JSONL, or split its entries.`;
