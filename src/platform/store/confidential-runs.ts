/** @file Determines which stored runs must not leave this browser. */
import { confidentialityCheck, type ConfidentialityCheck, type RunStore } from '../../core/contract';
import { createBatchStore } from './batches';
import type { Database } from './database';
import { readDataset } from './dataset-records';

/**
 * Returns a function that checks whether a run must not leave this browser. The function doesn't see datasets and batches that
 * are stored later.
 */
export async function openConfidentialityCheck(
  database: Database,
  store: Pick<RunStore, 'read'>,
): Promise<ConfidentialityCheck> {
  const values = await database.transact(['datasets'], 'readonly', (transaction) =>
    transaction.objectStore('datasets').getAll(),
  );
  const datasets = values.flatMap((value) => readDataset(value)?.dataset ?? []);
  const batches = await createBatchStore(database).list();
  return confidentialityCheck({ read: (runId) => store.read(runId), datasets, batches });
}
