/**
 * @file Opens and reads tables in the current thread. Foreign files can keep a decoder busy for a very long time, so the page and
 * the command line do this in a Web Worker or a thread that can be ended (`table-worker/`).
 */
import { fault, FaultError, type Table, type TableFormat, type TablePart, type TableRow } from '../../core/contract';
import { TextReader, type TextEncoding } from '../../core/contract/text-encoding';
import type { ByteSource } from './byte-source';
import { readCsv } from './csv';
import { readJson } from './json-list';
import { readJsonl } from './jsonl';
import { readInspectArchive } from './logs/inspect-archive';
import { openParquet } from './parquet';
import { columnsOf, PREVIEW_ROWS } from './table-values';
import { readYaml } from './yaml';

export interface OpenOptions {
  /** A second source of the same file, for `Table.read`. It may wait longer for the server than the first source. */
  readonly later?: ByteSource;
  /** Encoding of the text. Absent: detected. */
  readonly encoding?: TextEncoding | undefined;
}

/**
 * Opens a table and reads its first rows. On failure, rejects with a `FaultError`.
 * @param from the source that the table names
 */
export type OpenTable = (
  source: ByteSource,
  format: TableFormat,
  from: Table['source'],
  signal: AbortSignal,
  options?: OpenOptions,
) => Promise<Table>;

export const openTable: OpenTable = async (source, format, from, signal, { later = source, encoding } = {}) => {
  const head = await readHead(source, format, { encoding }, signal);
  const { footer, ...table } = head;
  return {
    ...table,
    source: from,
    read: (stop, columns) => readTable(later, format, { footer, encoding, columns }, stop),
  };
};

/** What is known of a table after its first rows have been read. */
export interface TableHead extends Omit<Table, 'source' | 'read'> {
  /** Length of a Parquet file's footer in bytes, so that it can be found again. */
  readonly footer?: number | undefined;
}

export interface ReadOptions {
  readonly encoding?: TextEncoding | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly footer?: number | undefined;
  /** Called when decoding has made progress. */
  readonly onProgress?: () => void;
}

/** Reads the first rows of a table. */
export async function readHead(
  source: ByteSource,
  format: TableFormat,
  { encoding, onProgress = () => {} }: Pick<ReadOptions, 'encoding' | 'onProgress'>,
  signal: AbortSignal,
): Promise<TableHead> {
  signal.throwIfAborted();
  if (source.size === 0) throw new FaultError(fault('bad-request', `${source.name} is empty. Choose another file.`));
  await refusePointer(source, signal);
  const common = { format, bytes: source.size };
  if (format === 'parquet') {
    const { names, rowCount, footer, preview } = await openParquet(source, signal, { onPage: onProgress });
    const rows = await preview();
    return { ...common, rowCount, footer, preview: rows, columns: columnsOf(rows, names) };
  }
  if (format === 'inspect') {
    const rows = await firstRows(readInspectArchive(source, onProgress, signal), source.name);
    return { ...common, rowCount: null, preview: rows, columns: columnsOf(rows) };
  }
  const decoder = new TextReader(encoding);
  const preview = await firstRows(textParts(source, format, decoder, signal), source.name);
  return { ...common, rowCount: null, encoding: decoder.encoding, preview, columns: columnsOf(preview) };
}

/** Git LFS writes pointers of fewer bytes than this. */
const LARGEST_POINTER = 1024;

/** Git repositories have a pointer in place of a large file, under the name of the file. */
async function refusePointer(source: ByteSource, signal: AbortSignal): Promise<void> {
  if (source.size >= LARGEST_POINTER) return;
  const text = new TextDecoder().decode(await source.slice(0, source.size, signal));
  if (!/^version https:\/\/git-lfs\.github\.com\/spec\//.test(text)) return;
  const message = `${source.name} is only a pointer of Git LFS to the file. Download the file itself, for example with “git lfs pull”, and choose it again.`;
  throw new FaultError(fault('bad-request', message));
}

/** Reads all rows of a table. */
export async function* readTable(
  source: ByteSource,
  format: TableFormat,
  { encoding, columns, footer, onProgress = () => {} }: ReadOptions,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  if (format === 'inspect') return yield* readInspectArchive(source, onProgress, signal);
  if (format !== 'parquet') return yield* textParts(source, format, new TextReader(encoding), signal);
  const table = await openParquet(source, signal, { onPage: onProgress, ...(footer !== undefined && { footer }) });
  yield* table.read(columns);
}

function textParts(
  source: ByteSource,
  format: Exclude<TableFormat, 'parquet' | 'inspect'>,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  switch (format) {
    case 'jsonl':
      return readJsonl(source, decoder, signal);
    case 'json':
      return readJson(source, decoder, signal);
    case 'csv':
      return readCsv(source, decoder, signal);
    case 'yaml':
      return readYaml(source, decoder, signal);
    default:
      return format satisfies never;
  }
}

/** After more than this number of bytes, a preview with at least one row ends, even with fewer than `PREVIEW_ROWS` rows. */
const PREVIEW_BYTES = 8 * 1024 * 1024;

/** Reads the first rows of a table, and then stops reading (or downloading) the file. */
async function firstRows(parts: AsyncIterable<TablePart>, name: string): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  let problem: string | null = null;
  for await (const part of parts) {
    rows.push(...part.rows.slice(0, PREVIEW_ROWS - rows.length).map(({ value }) => value));
    problem ??= part.problems[0]?.message ?? null;
    const isEnough = rows.length >= PREVIEW_ROWS || part.read > PREVIEW_BYTES;
    if (rows.length > 0 ? isEnough : problem !== null) break;
  }
  if (rows.length > 0) return rows;
  const why = problem === null ? 'It has no rows.' : `Its first row is damaged: ${problem}`;
  throw new FaultError(fault('bad-request', `${name} is not a table that Podium reads. ${why} Choose another file.`));
}
