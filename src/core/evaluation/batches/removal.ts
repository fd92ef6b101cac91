/** @file Deletes a batch unless it is running, and a dataset unless a running batch uses it. */
import type { BatchStore, DatasetStore, EvaluationRemoval, Locks } from '../../contract';
import { holdBatches } from '../../contract/evaluation/hold-batches';

export interface RemovalDependencies {
  readonly batches: Pick<BatchStore, 'list' | 'remove'>;
  readonly datasets: Pick<DatasetStore, 'remove'>;
  readonly locks: Pick<Locks, 'acquire'>;
}

export function createRemoval({ batches, datasets, locks }: RemovalDependencies): EvaluationRemoval {
  return {
    async removeBatch(id) {
      const own = (await batches.list()).filter((batch) => batch.id === id);
      await holdBatches(own, locks, 'then delete it', () => batches.remove(id));
    },
    async removeDataset(id) {
      const using = (await batches.list()).filter(({ plan }) => plan.datasets.some((dataset) => dataset.id === id));
      await holdBatches(using, locks, 'then delete its dataset', () => datasets.remove(id));
    },
  };
}
