/** @file Reads files in Web Workers. Each file gets its own Web Worker, which is terminated afterwards. */
import { abortError, fault, FaultError, type BackupContents, type Clock } from '../../../core/contract';
import type { FileReader } from '../file-reader';
import { startWorker } from '../../start-worker';
import { reportsOf } from '../../worker-reports';
import { readReport, type FileReport, type FileTask } from './messages';
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
      if (!contents) throw brokeOff('It reported nothing.');
      return contents;
    },
  };
}

/**
 * Yields the Web Worker's reports until the Web Worker has finished. Throws a `FaultError` if the Web Worker fails, and an
 * `AbortError` when it has stopped after an abort.
 */
async function* carryOut(
  task: FileTask,
  { clock, ready, createWorker = () => startWorker(program, 'files') }: FileDeskOptions,
  signal: AbortSignal,
): AsyncGenerator<FileReport, void, undefined> {
  const reports = reportsOf(
    {
      ready,
      createWorker,
      order: task,
      read: readReport,
      errorOf: ({ kind, detail }) => (kind === 'crashed' ? brokeOff(detail) : notLoaded(detail)),
      stop: (worker, over) => {
        worker.postMessage({ type: 'stop' });
        // A Web Worker that is parsing a long line may receive `stop` too late to store its last runs. These
        // runs are lost.
        return clock.sleep(PATIENCE, over);
      },
    },
    signal,
  );
  for await (const report of reports) {
    if (report.type === 'failed') throw new FaultError(report.fault);
    if (report.type === 'stopped') throw abortError();
    if (report.type === 'finished') return;
    yield report;
  }
}

function brokeOff(detail: string): FaultError {
  const message =
    'Reading the file failed, probably because the browser ran out of memory. Everything stored so far is kept. Close other tabs, then try again.';
  return new FaultError(fault('internal', message, { retryable: true, detail }));
}

function notLoaded(detail: string): FaultError {
  const message = 'Couldn’t load the part of Podium that reads files. Check the connection, then try again.';
  return new FaultError(fault('internal', message, { retryable: true, detail }));
}
