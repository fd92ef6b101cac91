/** @file Determines the format of a table file from its name. */
import type { TableFormat } from '../../core/contract';

/**
 * Returns `null` for unsupported formats. `.parquet.gz` is not supported, because Parquet is
 * already compressed.
 */
export function formatOf(name: string): TableFormat | null {
  if (/\.parquet$/i.test(name)) return 'parquet';
  if (/\.[ct]sv(\.gz)?$/i.test(name)) return 'csv';
  if (/\.json(\.gz)?$/i.test(name)) return 'json';
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name) ? 'jsonl' : null;
}
