/** @file Datasets: tasks that were imported from a file or the Hugging Face hub, or that come with Podium. */
import type { EvaluationTask, GraderKind } from './task';

/** Where a dataset comes from. */
export type DatasetSource =
  | { readonly kind: 'practice' }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'hub'; readonly repository: string; readonly revision: string; readonly file: string };

export interface Dataset {
  /** A digest of the tasks, so that an equal import gets the same id. Datasets of older versions have random ids. */
  readonly id: string;
  readonly name: string;
  readonly source: DatasetSource;
  /** SHA-256 of the tasks in their order. Datasets with the same revision have the same tasks. */
  readonly revision: string;
  /** Number of tasks. */
  readonly tasks: number;
  /** Number of tasks of each group. Groups are in the order of their first task. Empty: there are no groups. */
  readonly groups: readonly { readonly group: string; readonly tasks: number }[];
  /** The graders that the tasks use. */
  readonly graders: readonly GraderKind[];
  /** Whether exports must leave out the text of the tasks. */
  readonly isConfidential: boolean;
  /**
   * Names of the workers whose answers to the tasks were recorded. Only these workers can work on the dataset. Absent: the
   * dataset has no recorded answers, and any worker can work on it.
   */
  readonly recordedWorkers?: readonly string[];
  /** When the dataset was added, ms since the epoch. */
  readonly addedAt: number;
}

/** Stored datasets. Every method rejects with a `FaultError` (`storage-full`, `storage-failed`). */
export interface DatasetStore {
  /** Newest first. */
  list(): Promise<readonly Dataset[]>;
  get(id: string): Promise<Dataset | null>;
  /**
   * Stores the tasks in parts as they arrive, then the dataset that `finish` returns. A stored dataset with the same id is
   * replaced. If the source throws or the signal aborts, nothing is kept.
   */
  add(
    tasks: AsyncIterable<EvaluationTask>,
    finish: () => Dataset | Promise<Dataset>,
    signal: AbortSignal,
  ): Promise<Dataset>;
  /** Ids and groups of all tasks in their order, without their texts. */
  outline(id: string): Promise<readonly Pick<EvaluationTask, 'id' | 'group'>[]>;
  /** The tasks with these ids, in the order of the ids. Missing tasks are left out. */
  tasks(id: string, ids: readonly string[]): Promise<readonly EvaluationTask[]>;
  remove(id: string): Promise<void>;
}
