/** @file The page's end of the training's Worker: gives it an order, hands out what it tells, and ends it. */
import { abortError, fault, FaultError, unlessAborted } from '../core/contract';
import { readReport, type TrainingDesk, type TrainingReport } from '../core/training/orders';

export interface TrainingDeskOptions {
  /** Waited for before the Worker's program is loaded. */
  readonly ready?: () => Promise<void>;
  /** For tests that need a hand on the Worker. */
  readonly createWorker?: () => Worker;
}

export function createTrainingDesk({ ready, createWorker = startWorker }: TrainingDeskOptions = {}): TrainingDesk {
  return {
    async *carryOut(order, signal) {
      if (ready) await unlessAborted(ready(), signal);
      if (signal.aborted) throw abortError();
      const worker = createWorker();
      const told: TrainingReport[] = [];
      let hasTold = false;
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
          told.push(readReport(data));
          hasTold = true;
          wake();
        } catch {
          fail(crashed('A message could not be read.'));
        }
      });
      worker.addEventListener('error', (event) => {
        // It is told in words; the page's own errors are others.
        event.preventDefault();
        fail(hasTold ? crashed(event.message ?? '') : missing(event.message ?? ''));
      });
      worker.postMessage(order);
      try {
        for (;;) {
          if (failed) throw failed;
          const report = told.shift();
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

function crashed(detail: string): FaultError {
  const message = 'The training broke off: its worker ended. Close other tabs and programs, then start it again.';
  return new FaultError(fault('internal', message, { retryable: true, detail: detail.slice(0, 500) }));
}

function missing(detail: string): FaultError {
  const message =
    'The training could not be started: its program could not be loaded. Check the connection and start it again.';
  return new FaultError(fault('internal', message, { retryable: true, detail: detail.slice(0, 500) }));
}

function startWorker(): Worker {
  return new Worker(new URL('./training-worker.ts', import.meta.url), { type: 'module' });
}
