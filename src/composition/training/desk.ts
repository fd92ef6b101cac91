/** @file Runs a training order in a Worker and yields its reports. */
import { abortError, fault, FaultError, unlessAborted } from '../../core/contract';
import { readReport, type TrainingDesk, type TrainingReport } from '../../core/training/orders';
import { startWorker } from '../../platform/start-worker';
import program from './training-worker?worker&url';

interface TrainingDeskOptions {
  /** Awaited before the Worker's script is loaded. */
  readonly ready?: () => Promise<void>;
  /** Lets tests replace the Worker. */
  readonly createWorker?: () => Worker;
}

export function createTrainingDesk({
  ready,
  createWorker = () => startWorker(program),
}: TrainingDeskOptions = {}): TrainingDesk {
  return {
    async *carryOut(order, signal) {
      if (ready) await unlessAborted(ready(), signal);
      if (signal.aborted) throw abortError();
      const worker = createWorker();
      const reports: TrainingReport[] = [];
      let hasReported = false;
      let failed: Error | null = null;
      let wake = () => {};
      const fail = (because: Error) => {
        failed ??= because;
        wake();
      };
      const stop = () => fail(abortError());
      signal.addEventListener('abort', stop);
      worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        try {
          reports.push(readReport(data));
          hasReported = true;
          wake();
        } catch {
          fail(brokenOffFault('A message could not be read.'));
        }
      });
      worker.addEventListener('error', (event) => {
        // The fault is reported to the user, so the browser need not log it as an uncaught error.
        event.preventDefault();
        fail(hasReported ? brokenOffFault(event.message ?? '') : loadFault(event.message ?? ''));
      });
      worker.postMessage(order);
      try {
        for (;;) {
          if (failed) throw failed;
          const report = reports.shift();
          if (!report) {
            await new Promise<void>((resolve) => (wake = resolve));
            continue;
          }
          if (report.type === 'failed') throw new FaultError(report.fault);
          yield report;
          if (report.type === 'finished') return;
        }
      } finally {
        signal.removeEventListener('abort', stop);
        worker.terminate();
      }
    },
  };
}

function brokenOffFault(detail: string): FaultError {
  const message =
    'The training stopped because its Worker crashed. Close other tabs and programs, then start it again.';
  return new FaultError(fault('internal', message, { retryable: true, detail: detail.slice(0, 500) }));
}

function loadFault(detail: string): FaultError {
  const message =
    'The training could not start, because its code could not be loaded. Check the connection and start it again.';
  return new FaultError(fault('internal', message, { retryable: true, detail: detail.slice(0, 500) }));
}
