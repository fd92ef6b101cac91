/** @file Files of runs and of everything, over the database: see `Archive` in `app/services.ts`. Loaded when one is first needed. */
import type {
  BackupOptions,
  Clock,
  Locks,
  ProgressHeard,
  RestoreMode,
  RunFileOptions,
  RunSize,
} from '../../core/contract';
import type { Database } from './database';
import { inspectBackup, restoreBackup } from './backup/restore';
import { backupSections } from './backup/sections';
import { backupLines } from './backup/write-backup';
import { fileLines, gzip, streamLines } from './files';
import type { IndexedRunStore } from './run-store';
import { exportRuns, importRuns } from './transfer';

export interface ArchiveDependencies {
  readonly database: Database;
  readonly store: IndexedRunStore;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
  /** The version of Podium. */
  readonly app: string;
}

const PAGE = 50;

export function createArchive({ database, store, locks, clock, app }: ArchiveDependencies) {
  const sections = () => backupSections(database, store, locks);
  return {
    backup: (options: BackupOptions) => gzip(streamLines(backupLines(sections(), { ...options, app, clock }))),
    inspect: (file: Blob, signal: AbortSignal, heard?: ProgressHeard) => inspectBackup(file, sections(), signal, heard),
    restore: (file: Blob, mode: RestoreMode, signal: AbortSignal) => restoreBackup(file, sections(), mode, signal),
    exportRuns({ ids, compress, ...options }: RunFileOptions) {
      const stream = streamLines(exportRuns(store, ids, options));
      return compress ? gzip(stream) : stream;
    },
    importRuns: (file: Blob, signal: AbortSignal) =>
      importRuns(fileLines(file, signal), { store, locks, clock }, signal),
    async largestRuns(most: number, signal: AbortSignal, heard: ProgressHeard = () => {}): Promise<readonly RunSize[]> {
      const of = await store.count();
      let largest: RunSize[] = [];
      let done = 0;
      for (let after: string | null = null; ;) {
        signal.throwIfAborted();
        const page: Awaited<ReturnType<typeof store.summaries>> = await store.summaries({ limit: PAGE, after });
        const sizes = await store.sizes(page.summaries.map(({ id }) => id));
        const found = page.summaries.map(({ id, question, startedAt }, index): RunSize => {
          return { id, question, startedAt, bytes: sizes[index] ?? 0 };
        });
        largest = [...largest, ...found].toSorted((one, other) => other.bytes - one.bytes).slice(0, most);
        done += page.summaries.length;
        heard(Math.min(done, of), of);
        if (page.next === null) return largest;
        after = page.next;
      }
    },
  };
}
