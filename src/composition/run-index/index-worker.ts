/** @file The Web Worker that indexes saved runs and answers the page's queries from this index. */
import { FIGURES } from '../../core/analysis/figures';
import { readIndexOrder, type IndexQuestion, type IndexReport } from '../../core/analysis/run-index/messages';
import { RunIndexer } from '../../core/analysis/run-index/run-indexer';
import { fault, FaultError, loadOnce, toFault } from '../../core/contract';
import { createDatabase } from '../../platform/store/database';
import { createIndexNotices } from '../../platform/store/index-notices';
import { createIndexRecords } from '../../platform/store/index-records';
import { createWebLocks } from '../../platform/store/locks';
import { createBroadcastNotices } from '../../platform/store/notices';
import { createRunStore } from '../../platform/store/run-store';
import { createVectorRecords } from '../../platform/store/sentence-vectors';

/**
 * Time between two checks for changed runs, ms. The checks are needed, because some changes come without
 * a notice. For example, the Web Worker of a batch sends no notices.
 */
const LOOK_AGAIN = 5000;

/** Lazy-loaded, because most runs have no verdicts. */
const loadChecks = loadOnce(() => import('../../core/runs/graded-checks'), 'the comparison of answers');

let indexer: RunIndexer | null = null;
const running = new Map<number, AbortController>();

function post(report: IndexReport): void {
  self.postMessage(report);
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const order = readIndexOrder(data);
  switch (order.type) {
    case 'open':
      return open(order.database);
    case 'ask':
      return void reply(order.id, order.question);
    case 'cancel':
      return running.get(order.id)?.abort();
    default:
      return order satisfies never;
  }
});

function open(name: string): void {
  const database = createDatabase({ name });
  const opened = new RunIndexer({
    store: createRunStore(database),
    records: createIndexRecords(database),
    vectors: createVectorRecords(database),
    locks: createWebLocks(),
    notices: createBroadcastNotices(),
    lock: `index:${name}`,
    indexNotices: createIndexNotices(`index:${name}`),
    truthOf: async (run) => (await loadChecks()).gradedTruth(run, run.grade?.correct ?? null),
    newEpoch: () => crypto.randomUUID(),
    pause: () => new Promise((resolve) => setTimeout(resolve)),
    figures: FIGURES,
    onChange: (state) => post({ type: 'changed', state }),
    // Called if an update of the stored index fails. The affected runs stay marked as not indexed, so the
    // indexer retries them later. Until then, queries are answered from memory.
    report: (thrown) => console.warn('Couldn’t update the index of runs.', thrown),
  });
  indexer = opened;
  setInterval(() => opened.catchUp(), LOOK_AGAIN);
}

async function reply(id: number, question: IndexQuestion): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    if (!indexer) throw new FaultError(fault('internal', 'The index of runs is not open.'));
    post({ type: 'answer', id, answer: await indexer.answer(question, controller.signal) });
  } catch (thrown) {
    // The page does not wait for the answer to a cancelled query.
    if (!controller.signal.aborted) post({ type: 'failed', id, fault: toFault(thrown) });
  } finally {
    running.delete(id);
  }
}
