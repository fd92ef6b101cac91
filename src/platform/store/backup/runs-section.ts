/**
 * @file The section of runs in a backup. Its lines have the format of exported runs, so that a backup can also be imported as runs.
 */
import type { Locks } from '../../../core/contract';
import type { IndexedRunStore } from '../run-store';
import { parseRunValue, VerifiedTexts, type WholeRun } from '../run-file';
import { addUnderLocks } from '../add-under-locks';
import { exportValues } from '../transfer';
import { removeRuns } from '../remove-runs';
import { defineSection, type BackupSection } from './section';

/** @param importedAt marks restored runs as imported at this moment, ms since the epoch. `null`: no mark */
export function runsSection(store: IndexedRunStore, locks: Locks, importedAt: number | null): BackupSection {
  const verified = new VerifiedTexts();
  return defineSection<WholeRun>({
    name: 'runs',
    one: 'run',
    many: 'runs',
    stores: ['chunks', 'summaries', 'blobs', 'images', 'counts'],
    count: () => store.count(),
    read: (signal, leftOut) => exportValues(store, null, { signal, leftOut }),
    check(value) {
      const parsed = parseRunValue(value, verified);
      return parsed.ok ? { ok: true, item: parsed } : parsed;
    },
    idOf: ({ events: [first] }) => first?.runId ?? '',
    put: (runs, mode) => addUnderLocks(runs, { store, locks, over: mode === 'replace', importedAt }),
    prune: (ids, signal) => removeRuns(store, locks, ids, signal),
  });
}
