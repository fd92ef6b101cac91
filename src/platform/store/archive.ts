/**
 * @file Writes and restores backups, imports runs and finds the largest runs. These are
 * parts of the interface `Archive` (see `app/services.ts`). This module is lazy-loaded.
 */
import type { BackupOptions, Clock, Locks, ProgressListener, RunSize } from '../../core/contract';
import type { Database } from './database';
import { backupSections } from './backup/sections';
import { backupLines } from './backup/write-backup';
import type { FileReader } from './file-reader';
import { gzip, streamLines } from './files';
import type { IndexedRunStore } from './run-store';

export interface ArchiveDependencies {
  readonly database: Database;
  readonly store: IndexedRunStore;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
  /** The version of Podium. */
  readonly app: string;
  /** Reads backups and run files, on the page or in a Web Worker. */
  readonly reader: FileReader;
}

const PAGE = 50;

export function createArchive({ database, store, locks, clock, app, reader }: ArchiveDependencies) {
  const sections = () => backupSections(database, store, { locks, importedAt: null });
  return {
    backup: (options: BackupOptions) => gzip(streamLines(backupLines(sections(), { ...options, app, clock }))),
    ...reader,
    async largestRuns(
      most: number,
      signal: AbortSignal,
      onprogress: ProgressListener = () => {},
    ): Promise<readonly RunSize[]> {
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
        onprogress(Math.min(done, of), of);
        if (page.next === null) return largest;
        after = page.next;
      }
    },
  };
}
