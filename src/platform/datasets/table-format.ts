/** @file Determines the format of a file from its name. */
import type { TableFormat } from '../../core/contract';

/** `null`: the file is not a table that Podium can read. Parquet is already compressed, so `.parquet.gz` is not accepted. */
export function formatOf(name: string): TableFormat | null {
  if (/\.parquet$/i.test(name)) return 'parquet';
  if (/\.[ct]sv(\.gz)?$/i.test(name)) return 'csv';
  if (/\.json(\.gz)?$/i.test(name)) return 'json';
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name) ? 'jsonl' : null;
}
