/** @file Reads files in Web Workers. Each file gets its own Web Worker, which is terminated afterwards. */
import type { BackupContents, Clock } from '../../../core/contract';
import type { FileReader } from '../file-reader';
import { startWorker } from '../../start-worker';
import { failingWith, WorkerLink } from '../../worker-link';
import { readReport, type FileOrder, type FileReport } from './messages';
import program from './worker?worker&url';

/** Time for a stopped Web Worker to store its current runs before it is terminated, ms. */
const PATIENCE = 1000;

export interface FileDeskOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Name of the database in which the content of files is stored. */
  readonly database: string;
  /** Awaited before the Web Worker's script is loaded. */
  readonly ready?: () => Promise<void>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

/**
 * Creates a reader that uses a Web Worker for each file. The Web Worker stores runs and records before it reports them. The page
 * reads them from storage.
 */
export function createFileDesk(options: FileDeskOptions): FileReader {
  const { database } = options;
  return {
    async *importRuns(file, signal) {
      for await (const report of carryOut({ type: 'import', database, file }, options, signal)) {
        if (report.type === 'imported') yield report.progress;
      }
    },
    async *restore(file, { mode, isOwn }, signal) {
      for await (const report of carryOut({ type: 'restore', database, file, mode, isOwn }, options, signal)) {
        if (report.type === 'restored') yield report.progress;
      }
    },
    async inspect(file, signal, onprogress = () => {}) {
      let contents: BackupContents | null = null;
      for await (const report of carryOut({ type: 'inspect', database, file }, options, signal)) {
        if (report.type === 'progress') onprogress(report.done, report.of);
        else if (report.type === 'inspected') contents = report.contents;
      }
      if (!contents) throw errorOf({ kind: 'crashed', detail: 'It reported nothing.' });
      return contents;
    },
  };
}

/**
 * Yields the Web Worker's reports until the Web Worker has finished. Throws a `FaultError` if the Web Worker fails, and an
 * `AbortError` when it has stopped after an abort.
 */
function carryOut(
  order: FileOrder,
  { clock, ready, createWorker = () => startWorker(program, 'files') }: FileDeskOptions,
  signal: AbortSignal,
): AsyncIterable<FileReport> {
  const link = new WorkerLink<FileOrder, FileReport>({
    start: createWorker,
    ready,
    read: readReport,
    errorOf,
    // A Web Worker that is parsing a long line may be stopped too late to store its last runs. These runs are lost.
    patience: (over) => clock.sleep(PATIENCE, over),
  });
  return link.call(order, signal);
}

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the part of Podium that reads files. Check the connection, then try again.',
  crashed:
    'Reading the file failed, probably because the browser ran out of memory. Everything stored so far is kept. Close other tabs, then try again.',
});
