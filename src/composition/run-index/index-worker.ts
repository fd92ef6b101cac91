/** @file The Web Worker that indexes saved runs and answers the page's queries from this index. */
import { FIGURES } from '../../core/analysis/figures';
import { readIndexOrder, type IndexOrder } from '../../core/analysis/run-index/messages';
import { RunIndexer } from '../../core/analysis/run-index/run-indexer';
import { loadOnce, type IndexState } from '../../core/contract';
import { serveCalls } from '../../platform/serve-calls';
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
let onChange: (state: IndexState) => void = () => {};

serveCalls<IndexOrder, unknown>(
  self,
  ({ database, question }, { signal, report }) => {
    if (!question) onChange = report;
    indexer ??= open(database);
    return question ? indexer.answer(question, signal) : new Promise(() => undefined);
  },
  readIndexOrder,
);

function open(name: string): RunIndexer {
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
    onChange: (state) => onChange(state),
    // Called if an update of the stored index fails. The affected runs stay marked as not indexed, so the
    // indexer retries them later. Until then, queries are answered from memory.
    report: (thrown) => console.warn('Couldn’t update the index of runs.', thrown),
  });
  setInterval(() => opened.catchUp(), LOOK_AGAIN);
  return opened;
}
