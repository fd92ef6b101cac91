/** @file Opens tables from files and from the hub, and reads their columns, size and first rows. */
import {
  fault,
  FaultError,
  type Clock,
  type Table,
  type TableFormat,
  type TableOpener,
  type TablePart,
  type TableRow,
} from '../../core/contract';
import { fileSource, type ByteSource } from './byte-source';
import { datasetAddress, HUGGING_FACE, type HubHost } from './hub-address';
import { chooseFile, listTables } from './hub-files';
import { createHubClient, NO_PATIENCE } from './hub-request';
import { hubSource } from './hub-source';
import { columnsOf, PREVIEW_ROWS } from './table-values';
import { formatOf } from './table-format';

/** @param host the hub, or a test server */
export function createTableOpener(
  clock: Pick<Clock, 'now' | 'sleep'>,
  host: HubHost = HUGGING_FACE,
): TableOpener<File> {
  const client = createHubClient(host, clock);
  return {
    openFile(file, signal) {
      const format = formatOf(file.name);
      if (format === null) return Promise.reject(new FaultError(fault('bad-request', UNKNOWN_FORMAT)));
      return openTable(fileSource(file), format, { kind: 'file', name: file.name }, signal);
    },
    async openHub(address, signal) {
      const dataset = datasetAddress(address, host);
      const listing = await listTables(client, dataset, signal);
      const file = chooseFile(listing, address.file, dataset);
      const source = (patience: number) => hubSource(client, dataset, listing.commit, file, patience);
      const { repository } = dataset;
      return openTable(
        source(NO_PATIENCE),
        file.format,
        { kind: 'hub', repository, revision: listing.commit, file: file.path },
        signal,
        source(IMPORT_PATIENCE),
      );
    },
    async listHub(address, signal) {
      const { files } = await listTables(client, datasetAddress(address, host), signal);
      return files;
    },
  };
}

const UNKNOWN_FORMAT =
  'This is not a table that Podium reads. Choose a file that ends in .jsonl, .json, .csv, .tsv or .parquet. All but .parquet may be gzipped.';

/** Longest wait for the hub during an import, in ms. It is slightly longer than the hub's rate-limit window of 5 minutes. */
const IMPORT_PATIENCE = 330_000;

/**
 * Opens a table and reads its first rows. On failure, rejects with a `FaultError`.
 * @param later a second source of the same file, for the import. The import may wait longer for the hub than the preview
 */
export async function openTable(
  source: ByteSource,
  format: TableFormat,
  from: Table['source'],
  signal: AbortSignal,
  later: ByteSource = source,
): Promise<Table> {
  signal.throwIfAborted();
  if (source.size === 0) throw new FaultError(fault('bad-request', `${source.name} is empty. Choose another file.`));
  const common = { source: from, format, bytes: source.size };
  if (format === 'parquet') {
    const { openParquet } = await import('./parquet');
    const { names, rowCount, preview, read } = await openParquet(source, signal, later);
    return { ...common, rowCount, preview, columns: columnsOf(preview, names), read };
  }
  const read = await textReader(format);
  const preview = await firstRows(read(source, signal), source.name);
  return { ...common, rowCount: null, preview, columns: columnsOf(preview), read: (stop) => read(later, stop) };
}

type TextReader = (source: ByteSource, signal: AbortSignal) => AsyncGenerator<TablePart, void, undefined>;

async function textReader(format: Exclude<TableFormat, 'parquet'>): Promise<TextReader> {
  switch (format) {
    case 'jsonl':
      return (await import('./jsonl')).readJsonl;
    case 'json':
      return (await import('./json-list')).readJson;
    case 'csv':
      return (await import('./csv')).readCsv;
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
