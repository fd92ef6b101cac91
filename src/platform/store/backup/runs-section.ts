/** @file The runs in a backup. Their lines have the format of exported runs, so that a backup can also be imported as runs. */
import type { ConfidentialityCheck, Locks } from '../../../core/contract';
import type { IndexedRunStore } from '../run-store';
import { parseRunValue, VerifiedTexts, type WholeRun } from '../run-file';
import { addUnderLocks } from '../add-under-locks';
import { exportValues } from '../transfer';
import { removeRuns } from '../remove-runs';
import { defineSection, type BackupSection } from './section';

export interface RunsSectionOptions {
  /**
   * If set, each restored run is marked as imported at this time, ms since the epoch. `null`: no run is
   * marked.
   */
  readonly importedAt: number | null;
  /** Creates a check for runs that must not leave this browser. */
  readonly confidentiality: () => Promise<ConfidentialityCheck>;
}

export function runsSection(
  store: IndexedRunStore,
  locks: Locks,
  { importedAt, confidentiality }: RunsSectionOptions,
): BackupSection {
  const verified = new VerifiedTexts();
  return defineSection<WholeRun>({
    name: 'runs',
    one: 'run',
    many: 'runs',
    stores: ['chunks', 'summaries', 'blobs', 'images', 'counts'],
    count: () => store.count(),
    async *read(signal, leftOut) {
      yield* exportValues(store, null, { signal, leftOut, isConfidential: await confidentiality() });
    },
    check(value) {
      const parsed = parseRunValue(value, verified);
      return parsed.ok ? { ok: true, item: parsed } : parsed;
    },
    idOf: ({ events: [first] }) => first?.runId ?? '',
    put: (runs, mode) => addUnderLocks(runs, { store, locks, over: mode === 'replace', importedAt }),
    async *prune(ids, signal) {
      yield* removeRuns(store, locks, { keep: ids, isConfidential: await confidentiality() }, signal);
    },
  });
}
