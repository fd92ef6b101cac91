/**
 * @file Stores batches and the outcomes of their units. A batch evaluates methods on tasks. The runs themselves are stored
 * elsewhere and may be deleted before the batch.
 */
import * as z from 'zod/mini';
import { unitKey, type Batch, type BatchStore, type Outcome } from '../../core/contract';
import { batchSchema } from '../../core/contract/evaluation/batch-schema';
import { outcomeSchema } from '../../core/contract/evaluation/outcome-schema';
import type { Database } from './database';
import { readDataset } from './dataset-records';
import { keysUnder, pagesOf } from './pages';

/** Number of outcomes in one page of results. */
const OUTCOMES_AT_A_TIME = 5000;

export function createBatchStore(database: Database): BatchStore {
  return {
    async list() {
      const [values, datasets] = await database.transact(['batches', 'datasets'], 'readonly', (transaction) =>
        Promise.all([transaction.objectStore('batches').getAll(), transaction.objectStore('datasets').getAll()]),
      );
      const secret = confidentialIds(datasets);
      const batches = values.flatMap((value) => readBatch(value, secret) ?? []);
      return batches.toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1));
    },
    async get(id) {
      const [value, datasets] = await database.transact(['batches', 'datasets'], 'readonly', (transaction) =>
        Promise.all([transaction.objectStore('batches').get(id), transaction.objectStore('datasets').getAll()]),
      );
      return readBatch(value, confidentialIds(datasets));
    },
    async put(batch) {
      await database.transact(['batches'], 'readwrite', (transaction) =>
        transaction.objectStore('batches').put(batch, batch.id),
      );
    },
    async addOutcomes(added) {
      await database.transact(['outcomes'], 'readwrite', async (transaction) => {
        const outcomes = transaction.objectStore('outcomes');
        await Promise.all(added.map((outcome) => outcomes.put(outcome, [outcome.batchId, unitKey(outcome)])));
      });
    },
    async outcomes(batchId) {
      const outcomes: Outcome[] = [];
      for await (const page of pagesOf(database, 'outcomes', keysUnder(batchId), OUTCOMES_AT_A_TIME)) {
        for (const { value } of page) {
          const outcome = readOutcome(value);
          if (outcome) outcomes.push(outcome);
        }
      }
      return outcomes;
    },
    async removeOutcomes(batchId, units) {
      await database.transact(['outcomes'], 'readwrite', async (transaction) => {
        const outcomes = transaction.objectStore('outcomes');
        await Promise.all(units.map((unit) => outcomes.delete([batchId, unitKey(unit)])));
      });
    },
    async remove(id) {
      await database.transact(['batches', 'outcomes'], 'readwrite', async (transaction) => {
        await Promise.all([
          transaction.objectStore('batches').delete(id),
          transaction.objectStore('outcomes').delete(keysUnder(id)),
        ]);
      });
    },
  };
}

/**
 * Returns `null` for a batch that is damaged or was written by a later version. Such batches stay stored. Marks the
 * confidential datasets of the batch, because older versions stored batches without this mark.
 */
function readBatch(value: unknown, confidential: ReadonlySet<string>): Batch | null {
  const parsed = z.safeParse(batchSchema, value);
  if (!parsed.success) return null;
  const { plan } = parsed.data;
  const datasets = plan.datasets.map((dataset) =>
    confidential.has(dataset.id) ? { ...dataset, isConfidential: true } : dataset,
  );
  return { ...parsed.data, plan: { ...plan, datasets } };
}

/** The ids of the confidential datasets among these records. */
function confidentialIds(records: readonly unknown[]): ReadonlySet<string> {
  const datasets = records.flatMap((record) => readDataset(record)?.dataset ?? []);
  return new Set(datasets.flatMap(({ id, isConfidential }) => (isConfidential ? id : [])));
}

/** Returns `null` for an outcome that is damaged or was written by a later version. Its unit then runs again. */
function readOutcome(value: unknown): Outcome | null {
  return z.safeParse(outcomeSchema, value).data ?? null;
}
