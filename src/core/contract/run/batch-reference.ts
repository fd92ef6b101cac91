/** @file The reference from a run to its batch. See `evaluation/batch.ts`. */

/** Identifies the run's batch, dataset, task and method. The event `run-started` contains this reference. */
export interface BatchReference {
  readonly id: string;
  readonly dataset: string;
  readonly task: string;
  readonly method: string;
  /** Index of the repeat, from 0. */
  readonly repeat: number;
  /** Set if the task is confidential, so that no export contains the run. Absent: not confidential. */
  readonly isConfidential?: true;
}
