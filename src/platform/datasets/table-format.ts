/** @file Determines the format of a table file from its name. */
import type { TableFormat } from '../../core/contract';

/**
 * Returns `null` for unsupported formats. `.parquet.gz` and `.eval.gz` are not supported, because
 * these formats are compressed already, and YAML files are small.
 */
export function formatOf(name: string): TableFormat | null {
  if (/\.parquet$/i.test(name)) return 'parquet';
  if (/\.eval$/i.test(name)) return 'inspect';
  if (/\.ya?ml$/i.test(name)) return 'yaml';
  if (/\.[ct]sv(\.gz)?$/i.test(name)) return 'csv';
  if (/\.json(\.gz)?$/i.test(name)) return 'json';
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name) ? 'jsonl' : null;
}
