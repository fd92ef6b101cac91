/**
 * @file Inspects and restores backups, and imports run files. This code runs in a Web Worker
 * (`file-worker/`), because decompressing and validating large files takes long.
 */
import {
  type BackupContents,
  type Clock,
  type ImportProgress,
  type Locks,
  type ProgressListener,
  type RestoreOptions,
  type RestoreProgress,
  fault,
  FaultError,
  type BatchStore,
} from '../../core/contract';
import { inspectBackup, restoreBackup } from './backup/restore';
import { backupSections } from './backup/sections';
import { createBatchStore } from './batches';
import type { Database } from './database';
import { fileLines } from './files';
import type { IndexedRunStore } from './run-store';
import { importRuns } from './transfer';
import { acquireBatches, REPLACING_LOCK } from '../../core/contract/evaluation/hold-batches';

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

// Prevents a restore from replacing stored data while a batch runs. A batch runs workflows on
// many tasks, and needs its datasets, runs and results.

/**
 * Performs a restore and yields its progress. During the restore, no tab can start a batch. If a
 * batch is running or another tab is replacing data, throws a `FaultError` (`run-busy`) before the
 * restore begins.
 */
async function* replacing<Progress>(
  restored: AsyncIterable<Progress>,
  batches: Pick<BatchStore, 'list'>,
  locks: Pick<Locks, 'acquire'>,
): AsyncGenerator<Progress, void, undefined> {
  const release = await locks.acquire(REPLACING_LOCK);
  if (!release) throw new FaultError(fault('run-busy', BUSY));
  try {
    const releaseBatches = await acquireBatches(await batches.list(), locks, 'then replace everything');
    try {
      yield* restored;
    } finally {
      releaseBatches();
    }
  } finally {
    release();
  }
}

const BUSY = 'Another tab is restoring a backup. Wait until the restore has ended, then try again.';
