/**
 * @file The Web Worker that exports runs, so that the page stays responsive. Sends one piece of the file
 * for each request from the page.
 */
import { toFault } from '../../core/contract';
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import { createBatchStore } from '../../platform/store/batches';
import { openConfidentialityCheck } from '../../platform/store/confidential-runs';
import { createDatabase } from '../../platform/store/database';
import { createDatasetStore } from '../../platform/store/datasets';
import { createRunStore } from '../../platform/store/run-store';
import { createFactsOf } from './task-facts';
import { readOrder, type ExportOrder, type ExportReport } from './messages';
import { exportBytes } from './run-exports';

/** Minimum time between two reports of progress, ms. */
const PAUSE = 100;

/**
 * Number of requested pieces that have not been sent yet. Starts at 1, because the message that starts
 * the export also requests the first piece.
 */
let demand = 1;
let wake = () => {};
let reportedAt = 0;
let unreported: ExportReport | null = null;

function post(report: ExportReport): void {
  self.postMessage(report, report.type === 'bytes' ? { transfer: [report.bytes.buffer] } : {});
}

function reportProgress(): void {
  if (!unreported) return;
  post(unreported);
  unreported = null;
  reportedAt = performance.now();
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const order = readOrder(data);
  if (order.type === 'export') {
    void carryOut(order);
  } else {
    demand += 1;
    wake();
  }
});

async function carryOut(order: Extract<ExportOrder, { type: 'export' }>): Promise<void> {
  try {
    const database = createDatabase({ name: order.database });
    const store = createRunStore(database);
    const listener = {
      // This signal never aborts. The page stops an export by terminating the Web Worker.
      signal: new AbortController().signal,
      leftOut: (message: string) => post({ type: 'left-out', message }),
      isConfidential: await openConfidentialityCheck(database, store),
      factsOf: createFactsOf({
        batches: createBatchStore(database),
        datasets: withPractice(createDatasetStore(database)),
      }),
      onprogress(done: number, of: number) {
        unreported = { type: 'progress', done, of };
        if (performance.now() - reportedAt >= PAUSE) reportProgress();
      },
    };
    for await (const bytes of exportBytes(store, order, listener)) {
      while (demand === 0) await new Promise<void>((resolve) => (wake = resolve));
      demand -= 1;
      post({ type: 'bytes', bytes });
    }
    // Not throttled, because the page shows the last progress as the number of exported runs.
    reportProgress();
    post({ type: 'finished' });
  } catch (thrown) {
    post({ type: 'failed', fault: toFault(thrown) });
  }
}
