/** @file Reads Parquet in ranges: first the footer, then one row group after another, and only the needed columns. */
import {
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type RowGroup,
} from 'hyparquet';
import { fault, FaultError, isAbort, type TablePart, type TableRow } from '../../core/contract';
import type { ByteSource } from './byte-source';
import { checkRows, PartBuilder } from './parts';
import { plainRow, PREVIEW_ROWS, textLength } from './table-values';

/** Approximate number of decompressed bytes that are decoded at a time, if the row group has a page index. */
const AT_A_TIME = 32 * 1024 * 1024;
/** If a row group has no page index, its needed columns may have at most this many decompressed bytes. */
const LARGEST_GROUP = 1024 * 1024 * 1024;

export interface ParquetTable {
  readonly names: readonly string[];
  readonly rowCount: number;
  /** Length of the footer in bytes. */
  readonly footer: number;
  /** Reads the first rows. */
  preview(): Promise<readonly TableRow[]>;
  read(columns?: readonly string[]): AsyncGenerator<TablePart, void, undefined>;
}

export interface ParquetOptions {
  /** `ParquetTable.footer`, if the file was opened before. */
  readonly footer?: number;
  /** Called after each page that adds rows. Decoding a row group can take many seconds, but decoding a page can't. */
  readonly onPage?: () => void;
}

/** Rows that are decoded at once. */
interface RowRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Estimated bytes of the file up to the end of these rows. */
  readonly read: number;
}

/** Opens a Parquet file, and reads its footer. On failure, rejects with a `FaultError`. */
export async function openParquet(
  source: ByteSource,
  signal: AbortSignal,
  { footer, onPage = () => {} }: ParquetOptions = {},
): Promise<ParquetTable> {
  const file = bufferOf(source, signal);
  const { metadata, names } = await readable(source, signal, async () => {
    // Turns off GeoParquet decoding, which no task needs.
    const options = { geoparquet: false, ...(footer !== undefined && { initialFetchSize: footer }) };
    const read = await parquetMetadataAsync(file, options);
    return { metadata: read, names: parquetSchema(read).children.map(({ element }) => element.name) };
  });
  const rowCount = Number(metadata.num_rows);
  checkRows(Math.max(rowCount, rowsOf(metadata)));
  checkPreview(metadata);
  const compressors = await codecsFor(metadata);
  const rows = (start: number, end: number, columns?: readonly string[]) =>
    readable(source, signal, async () => {
      const decoded = await parquetReadObjects({
        file,
        metadata,
        rowStart: start,
        rowEnd: end,
        useOffsetIndex: true,
        // A damaged file can have endless pages. Each of them would count as progress, if they all added rows.
        onPage: ({ rowStart, rowEnd }) => void (rowStart < rowEnd && rowEnd <= rowCount && onPage()),
        ...(columns && { columns: [...columns] }),
        ...(compressors && { compressors }),
      });
      return decoded.map(plainRow);
    });
  return {
    names,
    rowCount,
    footer: metadata.metadata_length + 8,
    preview: async () => (rowCount > 0 ? rows(0, Math.min(rowCount, PREVIEW_ROWS)) : []),
    async *read(columns) {
      const parts = new PartBuilder();
      let done = 0;
      for (const { start, end, read } of rangesOf(metadata, source.size, columns)) {
        signal.throwIfAborted();
        for (const row of await rows(start, end, columns)) {
          if (parts.isFull) yield parts.flush(done);
          parts.add(row, textLength(row));
        }
        done = read;
        yield parts.flush(done);
      }
    },
  };
}

/** The rows of all row groups. */
function rowsOf({ row_groups }: FileMetaData): number {
  return row_groups.reduce((sum, { num_rows }) => sum + Math.max(0, Number(num_rows)), 0);
}

/** Throws a `FaultError` if a row group of the preview is too large to be read. */
function checkPreview({ row_groups }: FileMetaData): void {
  let first = 0;
  for (const group of row_groups) {
    if (first >= PREVIEW_ROWS) return;
    sizeOf(group, undefined);
    first += Number(group.num_rows);
  }
}

/**
 * The decompressed bytes of the needed columns, and whether these columns have a page index. With an index, the columns can be
 * decoded in parts. Throws a `FaultError` (`too-large`) if the columns have no index and are larger than `LARGEST_GROUP`.
 */
function sizeOf(
  { columns }: RowGroup,
  wanted: ReadonlySet<string> | undefined,
): { readonly bytes: number; readonly isIndexed: boolean } {
  const needed = columns.filter(({ meta_data }) => !wanted || wanted.has(meta_data?.path_in_schema[0] ?? ''));
  const bytes = needed.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
  const isIndexed = needed.every(({ offset_index_offset }) => offset_index_offset !== undefined);
  if (!isIndexed && bytes > LARGEST_GROUP) throw new FaultError(fault('too-large', TOO_LARGE));
  return { bytes, isIndexed };
}

/** Splits row groups with a page index into ranges of about `AT_A_TIME` bytes. Other row groups are one range each. */
function rangesOf(metadata: FileMetaData, size: number, columns: readonly string[] | undefined): readonly RowRange[] {
  const wanted = columns && new Set(columns);
  const ranges: RowRange[] = [];
  let first = 0;
  const total = Number(metadata.num_rows);
  for (const group of metadata.row_groups) {
    const count = Number(group.num_rows);
    const { bytes, isIndexed } = sizeOf(group, wanted);
    const step = isIndexed ? Math.max(1, Math.ceil(count / Math.max(1, Math.ceil(bytes / AT_A_TIME)))) : count;
    for (let start = 0; start < count; start += step) {
      const end = Math.min(count, start + step);
      ranges.push({ start: first + start, end: first + end, read: Math.round((size * (first + end)) / total) });
    }
    first += count;
  }
  return ranges;
}

const TOO_LARGE =
  'This Parquet file has a row group of more than 1 GB, which is too large for the browser. Write the file again with smaller row groups.';

function bufferOf(source: ByteSource, signal: AbortSignal): AsyncBuffer {
  const { size } = source;
  return {
    byteLength: size,
    slice(start, end = size) {
      if (!(start >= 0 && start <= end && end <= size)) throw new RangeError('A part is outside of the file.');
      return source.slice(start, end, signal);
    },
  };
}

async function codecsFor(metadata: FileMetaData): Promise<Compressors | null> {
  const used = metadata.row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec));
  if (used.every((codec) => codec === undefined || codec === 'UNCOMPRESSED' || codec === 'SNAPPY')) return null;
  const { codecs } = await import('./parquet-codecs');
  return codecs;
}

/** Converts errors of the Parquet library to a `FaultError` (`bad-request`). */
async function readable<Result>(source: ByteSource, signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof FaultError || isAbort(thrown)) throw thrown;
    const detail = String(thrown).slice(0, 500);
    const message = `${source.name} is not a complete Parquet file, or it uses a feature that Podium doesn’t know. Download it again.`;
    throw new FaultError(fault('bad-request', message, { detail }));
  }
}
