/** @file Recognizes files that are dropped on the page, and rejects files that Podium can't import. */
import { shownName } from '../state/file-name';

/**
 * The state of a drag. `files`: `null` during the drag, or the dropped files after a drop. An empty list
 * means that the drag left the page, or that a part of the page handles the drag itself.
 */
export interface FileDrag {
  readonly files: readonly File[] | null;
}

/** The kinds of files that the page accepts. */
export type DroppedKind = 'runs' | 'backup' | 'batch' | 'dataset';

export type Dropped =
  | { readonly kind: DroppedKind; readonly files: readonly File[] }
  | { readonly kind: 'refused'; readonly message: string };

const CAN_DROP =
  'You can drop exported runs (.podium.jsonl), a backup, a dataset (CSV, JSON, JSONL or Parquet) or the results of a batch.';

/** Number of bytes to read when the name of a file does not reveal its kind. */
const BEGINNING = 64 * 1024;

/** Matches the beginning of a JSON list, or of JSON Lines. Some `.json` files contain JSON Lines. */
const ROWS = /^\s*\[|^\{.*\}[ \t\r]*\n\s*\{/;

/**
 * Recognizes the kind of each dropped file by its name, or by its content if the name is not enough. Accepts
 * several files only if all of them are exported runs.
 */
export async function recognizeFiles(files: readonly File[]): Promise<Dropped> {
  const kinds = await Promise.all(files.map(recognize));
  const unknown = files[kinds.indexOf(null)];
  if (unknown) return { kind: 'refused', message: `Podium can’t import ${shownName(unknown.name)}. ${CAN_DROP}` };
  const [kind = null] = kinds;
  if (kind === null) return { kind: 'refused', message: CAN_DROP };
  if (files.length > 1 && kinds.some((each) => each !== 'runs')) {
    return { kind: 'refused', message: 'Several files can be dropped together only if all of them are exported runs.' };
  }
  return { kind, files };
}

async function recognize(file: File): Promise<DroppedKind | null> {
  const name = file.name.toLowerCase();
  if (/\.podium-backup\.jsonl(\.gz)?$/.test(name)) return 'backup';
  if (/\.podium\.jsonl(\.gz)?$/.test(name)) return 'runs';
  if (/\.podium-batch\.json$/.test(name)) return 'batch';
  if (/\.(csv|tsv)(\.gz)?$|\.parquet$/.test(name)) return 'dataset';
  if (!/\.jsonl?(\.gz)?$/.test(name)) return null;
  const beginning = await beginningOf(file);
  const [, format = null] = /"format":\s*"([\w-]+)"/.exec(beginning.slice(0, 200)) ?? [];
  switch (format) {
    case 'podium-run':
      return 'runs';
    case 'podium-backup':
      return 'backup';
    case 'podium-batch':
      return 'batch';
    case 'podium-rollout':
      return null;
    default:
      return /\.jsonl(\.gz)?$/.test(name) || ROWS.test(beginning) ? 'dataset' : null;
  }
}

/** The beginning of a file as text, decompressed if the file is gzipped. `''` if reading fails. */
async function beginningOf(file: File): Promise<string> {
  const start = file.slice(0, BEGINNING).stream();
  const plain = file.name.toLowerCase().endsWith('.gz') ? start.pipeThrough(new DecompressionStream('gzip')) : start;
  const reader = plain.getReader();
  try {
    const { value } = await reader.read();
    // Loaded late, so that the first page stays small.
    const { textOf } = await import('../../core/contract/text-encoding');
    return value ? textOf(value) : '';
  } catch {
    return '';
  } finally {
    // `cancel` can reject because the gzip data is cut off. At this point, the text has been read.
    await reader.cancel().catch(() => undefined);
  }
}
