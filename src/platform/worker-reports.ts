/** @file Reads and validates the reports of a Web Worker, in order, until the Web Worker ends or fails. */
import { abortError, unlessAborted } from '../core/contract';

/** Why a Web Worker stopped reporting. */
export interface WorkerFailure {
  /**
   * `not-loaded`: the Web Worker failed before its first report, so its script is probably missing. `crashed`: it failed later,
   * or sent an unreadable report.
   */
  readonly kind: 'not-loaded' | 'crashed';
  /** The error message of the browser, or a sentence about an unreadable report. May be empty. */
  readonly detail: string;
}

/** The part of a Web Worker that this module uses. A worker thread of Node can provide it too. */
export interface ReportingWorker {
  postMessage(message: unknown, options?: { transfer?: ArrayBuffer[] }): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: Pick<MessageEvent<unknown>, 'data'>) => void): void;
  addEventListener(type: 'error', listener: (event: Pick<ErrorEvent, 'message' | 'preventDefault'>) => void): void;
}

export interface WorkerListener<Report> {
  /** Parses a report. Throws if the data is not a report. */
  readonly read: (data: unknown) => Report;
  readonly onReport: (report: Report) => void;
  readonly onFailure: (failure: WorkerFailure) => void;
}

/** Subscribes to a Web Worker's reports and errors. An unreadable report counts as a crash. */
export function listenToWorker<Report>(worker: ReportingWorker, listener: WorkerListener<Report>): void {
  const { read, onReport, onFailure } = listener;
  let hasReported = false;
  worker.addEventListener('message', ({ data }) => {
    let report: Report;
    try {
      report = read(data);
    } catch {
      onFailure({ kind: 'crashed', detail: 'A report could not be read.' });
      return;
    }
    hasReported = true;
    onReport(report);
  });
  worker.addEventListener('error', (event) => {
    // The page handles the failure, so the browser need not log it as an uncaught error.
    event.preventDefault();
    onFailure({ kind: hasReported ? 'crashed' : 'not-loaded', detail: (event.message ?? '').slice(0, 500) });
  });
}

export interface WorkerTask<Report> {
  /** Awaited before the Web Worker's script is loaded. */
  readonly ready: (() => Promise<void>) | undefined;
  readonly createWorker: () => ReportingWorker;
  /** The first message to the Web Worker. */
  readonly order: unknown;
  /** Parses a report. Throws if the data is not a report. */
  readonly read: (data: unknown) => Report;
  /** Called for each report as soon as it arrives, even if the caller has not read the earlier reports yet. */
  readonly onReport?: (report: Report) => void;
  /** Makes the error that is thrown for a failure. */
  readonly errorOf: (failure: WorkerFailure) => Error;
  /**
   * Called when the signal aborts. Asks the Web Worker to stop, and resolves when the Web Worker may be
   * terminated. Reports that arrive until then are still yielded. Without `stop`, the Web Worker is
   * terminated immediately, and unread reports are dropped.
   * @param over aborts when the task has ended
   */
  readonly stop?: (worker: ReportingWorker, over: AbortSignal) => Promise<void>;
}

/**
 * Runs one task in its own Web Worker and yields the reports of the Web Worker. If the caller stops reading
 * reports, the Web Worker is terminated. If the Web Worker fails, throws the error from `errorOf` after
 * yielding all earlier reports. If the signal aborts, throws an `AbortError` after `stop` has resolved.
 */
export async function* reportsOf<Report>(task: WorkerTask<Report>, signal: AbortSignal): AsyncGenerator<Report, void> {
  const { ready, createWorker, order, read, onReport, errorOf, stop } = task;
  if (ready) await unlessAborted(ready(), signal);
  if (signal.aborted) throw abortError();
  const worker = createWorker();
  const reports: Report[] = [];
  const over = new AbortController();
  let failed: Error | null = null;
  let wake = () => {};
  const fail = (because: Error) => {
    failed ??= because;
    wake();
  };
  const onAbort = () => {
    if (!stop) reports.length = 0;
    void (stop?.(worker, over.signal) ?? Promise.resolve()).then(
      () => fail(abortError()),
      () => undefined,
    );
  };
  signal.addEventListener('abort', onAbort);
  listenToWorker(worker, {
    read,
    onReport: (report) => {
      reports.push(report);
      onReport?.(report);
      wake();
    },
    onFailure: (failure) => fail(errorOf(failure)),
  });
  worker.postMessage(order);
  try {
    for (;;) {
      const report = reports.shift();
      if (report !== undefined) {
        yield report;
        continue;
      }
      if (failed) throw failed;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    over.abort();
    worker.terminate();
  }
}
