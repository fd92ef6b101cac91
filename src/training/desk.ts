/** @file The page's end of the training's Worker: gives it an order, hands out what it tells, and ends it. */
import { abortError, fault, FaultError } from '../core/contract';
import { readReport, type TrainingDesk, type TrainingReport } from '../core/training/orders';

/** @param createWorker for tests that need a hand on the Worker */
export function createTrainingDesk(createWorker: () => Worker = startWorker): TrainingDesk {
  return {
    async *carryOut(order, signal) {
      if (signal.aborted) throw abortError();
      const worker = createWorker();
      const told: TrainingReport[] = [];
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
          wake();
        } catch {
          fail(crashed('A message could not be read.'));
        }
      });
      worker.addEventListener('error', (event) => {
        // It is told in words; the page's own errors are others.
        event.preventDefault();
        fail(crashed(event.message ?? ''));
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

function startWorker(): Worker {
  return new Worker(new URL('./training-worker.ts', import.meta.url), { type: 'module' });
}
