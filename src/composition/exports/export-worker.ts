/**
 * @file The Web Worker that exports runs, so that the page stays responsive. Stays only a few pieces of
 * the file ahead of the page.
 */
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import { serveCalls, type ServedCall } from '../../platform/serve-calls';
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

serveCalls(self, carryOut, readOrder);

async function carryOut(order: ExportOrder, { signal, report, caughtUp }: ServedCall<ExportReport>): Promise<void> {
  let reportedAt = 0;
  let unreported: ExportReport | null = null;
  const reportProgress = () => {
    if (!unreported) return;
    report(unreported);
    unreported = null;
    reportedAt = performance.now();
  };
  const database = createDatabase({ name: order.database });
  const store = createRunStore(database);
  const listener = {
    signal,
    leftOut: (message: string) => report({ type: 'left-out', message }),
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
    report({ type: 'bytes', bytes }, [bytes.buffer]);
    await caughtUp();
  }
  // Not throttled, because the page shows the last progress as the number of exported runs.
  reportProgress();
}
