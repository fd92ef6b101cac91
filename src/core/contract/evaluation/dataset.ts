/** @file A dataset is a set of tasks. It is imported from a file or the Hugging Face hub, or comes with Podium. */
import type { DatasetMap } from './dataset-map';
import type { EvaluationTask, GraderKind } from './task';

/** Where a dataset comes from. */
export type DatasetSource =
  | { readonly kind: 'practice' }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'hub'; readonly repository: string; readonly revision: string; readonly file: string };

export interface Dataset {
  /** Computed from the tasks, so that importing them again gives the same id. Older versions gave random ids. */
  readonly id: string;
  readonly name: string;
  readonly source: DatasetSource;
  /** SHA-256 of the tasks in their order. Datasets with the same revision have the same tasks. */
  readonly revision: string;
  /** Number of tasks. */
  readonly tasks: number;
  /** Number of tasks in each group, in the order of the first task of each group. Empty: there are no groups. */
  readonly groups: readonly { readonly group: string; readonly tasks: number }[];
  /** The graders that the tasks use. */
  readonly graders: readonly GraderKind[];
  /** Whether the tasks are confidential. Exports leave out the text of confidential tasks. */
  readonly isConfidential: boolean;
  /**
   * Names of the workers whose answers to the tasks were recorded. Only these workers can work on the dataset. Absent: the
   * dataset has no recorded answers, and any worker can work on it.
   */
  readonly recordedWorkers?: readonly string[];
  /**
   * How the rows of the table became tasks. Absent: the dataset comes with Podium or has recorded answers, or an older version of
   * Podium imported it.
   */
  readonly map?: DatasetMap;
  /** When the dataset was added, ms since the epoch. */
  readonly addedAt: number;
}

/** If storage fails, every method rejects with a `FaultError` (`storage-full`, `storage-failed`). */
export interface DatasetStore {
  /** Newest first. */
  list(): Promise<readonly Dataset[]>;
  get(id: string): Promise<Dataset | null>;
  /**
   * Stores the tasks as they arrive, and then the dataset that `finish` returns. Replaces a stored dataset with the same id. If
   * `tasks` throws or the signal aborts, nothing is stored.
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
