/**
 * @file Inspects and restores backups, and imports run files. This code runs in a Web Worker
 * (`file-worker/`), because decompressing and validating large files takes long.
 */
import type {
  BackupContents,
  Clock,
  ImportProgress,
  Locks,
  ProgressListener,
  RestoreOptions,
  RestoreProgress,
} from '../../core/contract';
import { replacing } from './backup/replacing';
import { inspectBackup, restoreBackup } from './backup/restore';
import { backupSections } from './backup/sections';
import { createBatchStore } from './batches';
import type { Database } from './database';
import { fileLines } from './files';
import type { IndexedRunStore } from './run-store';
import { importRuns } from './transfer';

/** The part of `Archive` in `app/services.ts` that reads files. */
export interface FileReader {
  inspect(file: Blob, signal: AbortSignal, onprogress?: ProgressListener): Promise<BackupContents>;
  restore(file: Blob, options: RestoreOptions, signal: AbortSignal): AsyncIterable<RestoreProgress>;
  importRuns(file: Blob, signal: AbortSignal): AsyncIterable<ImportProgress>;
}

export interface FileReaderDependencies {
  readonly database: Database;
  readonly store: IndexedRunStore;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
}

export function createFileReader({ database, store, locks, clock }: FileReaderDependencies): FileReader {
  const sections = (importedAt: number | null = null) => backupSections(database, store, { locks, importedAt });
  return {
    inspect: (file, signal, onprogress) => inspectBackup(file, sections(), signal, onprogress),
    restore(file, { mode, isOwn }, signal) {
      const restored = restoreBackup(file, sections(isOwn ? null : clock.now()), mode, signal);
      return mode === 'replace' ? replacing(restored, createBatchStore(database), locks) : restored;
    },
    importRuns: (file, signal) => importRuns(fileLines(file, signal), { store, locks, clock }, signal),
  };
}
