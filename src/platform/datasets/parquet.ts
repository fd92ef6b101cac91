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
import { plainRow, PREVIEW_ROWS } from './table-values';

/** Approximate number of decompressed bytes that are decoded at a time, if the row group has a page index. */
const AT_A_TIME = 32 * 1024 * 1024;
/** If a row group has no page index, its needed columns may have at most this many decompressed bytes. */
const LARGEST_GROUP = 1024 * 1024 * 1024;

export interface ParquetTable {
  readonly names: readonly string[];
  readonly rowCount: number;
  readonly preview: readonly TableRow[];
  read(signal: AbortSignal, columns?: readonly string[]): AsyncGenerator<TablePart, void, undefined>;
}

/** Rows that are decoded at once. */
interface RowRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Estimated bytes of the file up to the end of these rows. */
  readonly read: number;
}

/**
 * Opens a Parquet file, and reads its footer and its first rows. On failure, rejects with a `FaultError`.
 * @param later a second source of the same file, for `ParquetTable.read`. It may wait longer for the server than
 * `source`
 */
export async function openParquet(source: ByteSource, signal: AbortSignal, later: ByteSource): Promise<ParquetTable> {
  const metadata = await readable(source, signal, () =>
    // Turns off GeoParquet decoding, which no task needs.
    parquetMetadataAsync(bufferOf(source, signal), { geoparquet: false }),
  );
  checkPreview(metadata);
  const compressors = await codecsFor(metadata);
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  const rowCount = Number(metadata.num_rows);
  const rows = (from: ByteSource, start: number, end: number, stop: AbortSignal, columns?: readonly string[]) =>
    readable(from, stop, async () => {
      const decoded = await parquetReadObjects({
        file: bufferOf(from, stop),
        metadata,
        rowStart: start,
        rowEnd: end,
        useOffsetIndex: true,
        ...(columns && { columns: [...columns] }),
        ...(compressors && { compressors }),
      });
      return decoded.map(plainRow);
    });
  return {
    names,
    rowCount,
    preview: rowCount === 0 ? [] : await rows(source, 0, Math.min(rowCount, PREVIEW_ROWS), signal),
    async *read(stop, columns) {
      for (const { start, end, read } of rangesOf(metadata, source.size, columns)) {
        stop.throwIfAborted();
        const values = await rows(later, start, end, stop, columns);
        yield { rows: values.map((value, index) => ({ row: start + index + 1, value })), problems: [], read };
      }
    },
  };
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
  return { byteLength: source.size, slice: (start, end = source.size) => source.slice(start, end, signal) };
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
