/** @file Exports runs in a Web Worker. The result is a stream of bytes, which are produced on demand. */
import type { RunExportOptions } from '../../core/contract';
import { startWorker } from '../../platform/start-worker';
import { failingWith, WorkerLink } from '../../platform/worker-link';
import program from './export-worker?worker&url';
import { readReport, type ExportOrder, type ExportReport } from './messages';
import type { FileExport } from './run-exports';

export interface ExportDeskOptions {
  /** Name of the database with the runs. */
  readonly database: string;
  /** The version of Podium. */
  readonly app: string;
  readonly now: () => number;
  /**
   * Awaited before the Web Worker starts. Resolves when the page has stored all pending changes of runs, so
   * that the export contains them.
   */
  readonly ready: () => Promise<void>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

/**
 * Exports runs as the bytes of a file. Reading the stream throws a `FaultError` on failure, and an
 * `AbortError` on abort.
 */
export type ExportAs = (what: FileExport, options: RunExportOptions) => ReadableStream<Uint8Array<ArrayBuffer>>;

export function createExportDesk({
  database,
  app,
  now,
  ready,
  createWorker = () => startWorker(program, 'export'),
}: ExportDeskOptions): ExportAs {
  return (what, { ids, signal, onprogress = () => {}, leftOut = () => {} }) => {
    const order: ExportOrder = { database, what, ids: ids && [...ids], app, now: now() };
    const link = new WorkerLink<ExportOrder, ExportReport>({ start: createWorker, ready, read: readReport, errorOf });
    const reports = link.call(order, signal);
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          for (;;) {
            const { done, value: report } = await reports.next();
            if (done) return controller.close();
            if (report.type === 'progress') onprogress(report.done, report.of);
            else if (report.type === 'left-out') leftOut(report.message);
            else return controller.enqueue(report.bytes);
          }
        },
        async cancel() {
          await reports.return();
        },
      },
      { highWaterMark: 0 },
    );
  };
}

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the part of Podium that exports runs. Check the connection, then try again.',
  crashed:
    'The export failed, probably because the browser ran out of memory. Close other tabs or export fewer runs, then try again.',
});
