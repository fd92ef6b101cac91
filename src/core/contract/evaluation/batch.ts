/** @file A batch, which is one evaluation. Its plan has one run for each combination of task, method and repeat. */
import type { RunSettings } from '../run/settings';
import type { PoolWorker } from '../worker/worker';

/**
 * Changes a method for an ablation (arXiv 2512.04388, Tables 4, 9 and 10). The access scheme, the examples in the prompt,
 * the recursion depth and the number of candidates are ordinary settings instead.
 */
export interface Ablation {
  /** Id of the worker that gets every step. */
  readonly onlyWorker?: string;
  /** Every subtask becomes “Solve the user question.” */
  readonly plainSubtasks?: boolean;
  /** The access of every step, overriding the plan. */
  readonly access?: 'none' | 'all';
  /** Number of workers in each task's random subset of the pool, which is drawn from the plan's seed. */
  readonly subset?: number;
}

/** A Conductor with its settings, a baseline, or one worker alone. Baselines and single workers are templates. */
export interface Method {
  /** Unique in its plan. */
  readonly id: string;
  readonly label: string;
  readonly settings: Omit<RunSettings, 'question' | 'seed'>;
  readonly ablation?: Ablation;
  /**
   * Revision of the trained policy's weights when the batch was made. Absent: the method doesn't use the policy, or an older
   * version of Podium stored the batch.
   */
  readonly weights?: string;
}

/** The tasks of one dataset in a plan. */
export interface BatchDataset {
  readonly id: string;
  readonly name: string;
  readonly revision: string;
  readonly isConfidential: boolean;
  readonly taskIds: readonly string[];
}

/**
 * The instruction that a batch adds to each question. `answer-tags`: to put the final answer into `<answer>` tags, which the
 * grading profile `paper-artefact` reads.
 */
export type AnswerFormat = 'answer-tags';

/** Everything that determines a batch. Two batches with equal plans do the same work. */
export interface BatchPlan {
  readonly datasets: readonly BatchDataset[];
  readonly methods: readonly Method[];
  /** Number of runs of each task by each method. Each repeat has a different seed, and all methods share the seed of a repeat. */
  readonly repeats: number;
  readonly seed: number;
  /**
   * The graded runs that Conductors may use. `before`: the runs that started before the batch was created, except runs of
   * batches.
   */
  readonly history: 'none' | 'before';
  /** The worker that grades tasks whose grader is `judge`. */
  readonly judge: PoolWorker | null;
  /** Absent: the questions are asked as they are in their datasets. */
  readonly answerFormat?: AnswerFormat;
  /** Budget of the batch, US dollars. `null`: no budget. */
  readonly usd: number | null;
  /** Number of parallel runs. */
  readonly concurrency: number;
}

/** `paused`: by the user, by a fault such as a reached cap, or because the page was closed. */
export type BatchStatus = 'paused' | 'running' | 'finished';

export interface Batch {
  readonly id: string;
  readonly name: string;
  /** Ms since the epoch. */
  readonly createdAt: number;
  readonly plan: BatchPlan;
  /** Whether the batch was imported from a file, without its runs. */
  readonly isImported: boolean;
}

/** One run of a batch. */
export interface Unit {
  /** Index into `plan.datasets`. */
  readonly dataset: number;
  readonly taskId: string;
  /** Index into `plan.methods`. */
  readonly method: number;
  /** Index of the repeat, from 0. */
  readonly repeat: number;
}
