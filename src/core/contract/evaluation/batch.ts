/** @file A batch is one evaluation. Its plan has one run for each combination of task, method and repeat. */
import type { DatasetMap } from './dataset-map';
import type { RunSettings } from '../run/settings';
import type { MeasuredChecks, TrustRules } from '../workflow/check-trust';
import type { PoolWorker } from '../worker/worker';

/**
 * What an ablation changes in a method (arXiv 2512.04388, Tables 4, 9 and 10). Other ablations have no field
 * here, because they only change `settings`: the access scheme, the examples in the prompt, the recursion
 * depth or the number of candidates.
 */
export interface Ablation {
  /** Id of the worker that gets every step. */
  readonly onlyWorker?: string;
  /** Every subtask becomes “Solve the user question.” */
  readonly plainSubtasks?: boolean;
  /** Overrides the access of every step. */
  readonly access?: 'none' | 'all';
  /** Number of workers in a random subset of the pool. The subset depends on the plan's seed and the task. */
  readonly subset?: number;
}

/**
 * Makes a method the equal-cost control of another method. For each task, the best single worker gets as many calls as the cost of
 * the other method buys. Worker and number of calls are estimated from other tasks (`equal-cost.ts`).
 */
export interface EqualCost {
  /** Id of the method whose cost the control may spend. */
  readonly of: string;
  /**
   * Whether the control may spend on each task what the other method has spent on this task. Absent: it may spend the mean of the
   * other method.
   */
  readonly isMatched?: true;
  /**
   * Set for recorded workers, which have one answer to each question: on each task, one worker is drawn, so that the mean cost is
   * that of the other method. Absent: one worker is called several times.
   */
  readonly isMix?: true;
  /** Set if only the single workers that think as much as they can are considered, and called. Absent: the other ones. */
  readonly mostThinking?: true;
}

/** What a batch evaluates: a Conductor with its settings. Baselines and single workers are template Conductors. */
export interface Method {
  /** Unique in its plan. */
  readonly id: string;
  readonly label: string;
  readonly settings: Omit<RunSettings, 'question' | 'seed'>;
  /** How far runs trust their checks. Only if they skip settled steps. Absent: each check settles. */
  readonly trustRules?: TrustRules;
  readonly ablation?: Ablation;
  readonly equalCost?: EqualCost;
  /**
   * Revision of the trained policy's weights when the batch was made. Absent: the method doesn't use the policy, or an older
   * version of Podium stored the batch.
   */
  readonly weights?: string;
}

/** A dataset in a plan, with the tasks that the plan uses. */
export interface BatchDataset {
  readonly id: string;
  readonly name: string;
  readonly revision: string;
  readonly isConfidential: boolean;
  readonly taskIds: readonly string[];
  /** `map` of the dataset, with which the command line imports the same file. Absent: the dataset has none. */
  readonly map?: DatasetMap;
}

/**
 * The instruction that a batch appends to questions. `answer-tags`: the final answer must be in `<answer>`
 * tags, which the grading profile `paper-artefact` reads. Only some tasks get this instruction (see
 * `sent-question.ts`).
 */
export type AnswerFormat = 'answer-tags';

/** Determines the runs of a batch. */
export interface BatchPlan {
  readonly datasets: readonly BatchDataset[];
  readonly methods: readonly Method[];
  /** How often each method runs each task. Each repeat has its own seed, which all methods share. */
  readonly repeats: number;
  readonly seed: number;
  /**
   * The graded runs that Conductors may use. `before`: graded runs and outcomes of other batches from before this batch was
   * created, except those on a question of this batch. `table`: the recorded outcomes of the tasks that are in the same table of
   * recorded outcomes, but not in this batch.
   */
  readonly history: 'none' | 'before' | 'table';
  /**
   * What was measured of the workers as checkers when the batch was planned. Runs trust their checks by it, whatever the history.
   * Absent: nothing.
   */
  readonly measuredChecks?: readonly MeasuredChecks[];
  /** The worker that grades tasks whose grader is `judge`. */
  readonly judge: PoolWorker | null;
  /** Absent: questions are sent exactly as they are in their datasets. */
  readonly answerFormat?: AnswerFormat;
  /** Budget of the batch, US dollars. `null`: no budget. */
  readonly usd: number | null;
  /** Number of parallel runs. */
  readonly concurrency: number;
}

/** `paused`: not started, or stopped by the user, by a fault (such as a reached cap) or by closing the page. */
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

/** One run in a plan: one repeat of a task with a method. */
export interface Unit {
  /** Index into `plan.datasets`. */
  readonly dataset: number;
  readonly taskId: string;
  /** Index into `plan.methods`. */
  readonly method: number;
  /** Index of the repeat, from 0. */
  readonly repeat: number;
}
