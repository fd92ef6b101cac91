/** @file The reference from a run to its batch. See `evaluation/batch.ts`. */

/** The batch that a run belongs to, with the ids of the run's dataset, task and method. `run-started` records it. */
export interface BatchReference {
  readonly id: string;
  readonly dataset: string;
  readonly task: string;
  readonly method: string;
  /** Index of the repeat, from 0. */
  readonly repeat: number;
  /** Set if the task must not leave this browser, so that no export contains the run. Absent: the task may leave. */
  readonly isConfidential?: true;
}
