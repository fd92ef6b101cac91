/** @file The storage interface for batches and their outcomes. */
import type { Batch, Unit } from './batch';
import type { Outcome } from './outcome';

/** If storage fails, every method rejects with a `FaultError` (`storage-full`, `storage-failed`). */
export interface BatchStore {
  /** Newest first. */
  list(): Promise<readonly Batch[]>;
  get(id: string): Promise<Batch | null>;
  put(batch: Batch): Promise<void>;
  /** Adds outcomes. Replaces earlier outcomes of the same units. */
  addOutcomes(outcomes: readonly Outcome[]): Promise<void>;
  /** The outcomes of a batch, in no particular order. */
  outcomes(batchId: string): Promise<readonly Outcome[]>;
  removeOutcomes(batchId: string, units: readonly Unit[]): Promise<void>;
  /** Deletes a batch with its outcomes, but not its runs. */
  remove(id: string): Promise<void>;
}

/** The name of the lock that is held while a batch is running. */
export function batchLock(batchId: string): string {
  return `batch:${batchId}`;
}
