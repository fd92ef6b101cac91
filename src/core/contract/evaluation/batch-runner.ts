/**
 * @file The interface for running batches: the estimate before the start, and the progress while running.
 */
import type { Fault } from '../fault';
import type { ProgressListener } from '../storage/archive';
import type { BatchPlan, BatchStatus, Unit } from './batch';

/** The estimated size and cost of a batch, before it starts. */
export interface BatchEstimate {
  /** Runs that the batch still has to make. */
  readonly units: number;
  /** Units that have a finished run, but no outcome yet. These runs need only grading, which may call a judge. */
  readonly known: number;
  /** Calls to workers, to the Conductor's model and to the judge: minimum and maximum. */
  readonly calls: { readonly low: number; readonly high: number };
  /** US dollars. `null`: a price is unknown. */
  readonly usd: { readonly low: number; readonly high: number } | null;
  /** Milliseconds. `null`: units that run in real time remain, but this batch has run no such unit yet. */
  readonly time: number | null;
}

export interface BatchProgress {
  readonly status: BatchStatus;
  readonly units: number;
  /** Units with any outcome. */
  readonly done: number;
  readonly running: number;
  readonly graded: number;
  /** Units with a correct answer under the profile `strict`. */
  readonly right: number;
  /** Units without an answer, or whose grader failed. */
  readonly failed: number;
  readonly notGradable: number;
  /** Units that wait for the user's grade. */
  readonly waiting: number;
  /** Cost so far in US dollars, including judges and unfinished runs. Calls of unknown cost are not included. */
  readonly usd: number;
  /** Number of calls of unknown cost. */
  readonly unpriced: number;
  /** Estimated time that is left, ms. `null`: unknown, because too few units have finished. */
  readonly remaining: number | null;
  /** The reason for a pause. `null`: not paused, or paused by the user. */
  readonly fault: Fault | null;
}

/** What grading the stored answers of a batch again has changed, under the profile `strict`. */
export interface Regraded {
  /** Answers that were graded again. */
  readonly checked: number;
  /** Answers that were wrong and are right now. */
  readonly nowRight: number;
  /** Answers that were right and are wrong now. */
  readonly nowWrong: number;
  /** Answers whose run is no longer stored. Their verdicts stay. */
  readonly missing: number;
}

/** A batch that runs in this tab. */
export interface LiveBatch {
  readonly id: string;
  readonly progress: BatchProgress;
  /**
   * Resolves with the last progress once the batch has finished or paused and its current runs have ended. Never
   * rejects.
   */
  readonly done: Promise<BatchProgress>;
  subscribe(listener: (progress: BatchProgress) => void): () => void;
  /** Starts no more runs, and lets the current runs finish. */
  pause(): void;
  /** Starts no more runs, and aborts the current runs. */
  stop(): void;
}

/**
 * Deletes stored batches and datasets. Each method rejects with a `FaultError` (`run-busy`) while a batch that needs the data is
 * running.
 */
export interface EvaluationRemoval {
  /** Deletes a batch with its outcomes, but not its runs. */
  removeBatch(id: string): Promise<void>;
  /** Deletes a dataset with its tasks. Its batches can continue once the same table is imported again. */
  removeDataset(id: string): Promise<void>;
}

export interface BatchRunner {
  /**
   * Adds the revision of the trained policy's weights to the plan of a new batch. Rejects with a `FaultError` if the weights
   * can't be loaded.
   */
  prepare(plan: BatchPlan): Promise<BatchPlan>;
  /** @param batchId the stored batch. Its units with an outcome are not estimated. `null`: a new batch */
  estimate(plan: BatchPlan, batchId: string | null, signal: AbortSignal): Promise<BatchEstimate>;
  /**
   * Starts or continues a stored batch. Units with an outcome are not run again, and an interrupted run is resumed. Rejects with
   * a `FaultError` if the batch can't start. Two of the possible codes:
   * - `run-busy`: the batch is already running in this or another tab
   * - `worker-missing`: the weights of the trained policy have changed since the batch was planned
   */
  start(batchId: string): Promise<LiveBatch>;
  /** Starts the batch and retries failed units. Their outcomes are deleted once the batch can start. Rejects as `start` does. */
  retryFailed(batchId: string): Promise<LiveBatch>;
  /** The batch, if it runs in this tab. */
  live(batchId: string): LiveBatch | null;
  /** Progress of a batch that isn't running in this tab, from its stored outcomes. */
  progress(batchId: string): Promise<BatchProgress>;
  /**
   * Stores the user's verdict on a unit. Rejects with a `FaultError` (`nothing-to-grade`) if the unit's outcome
   * is not `waiting`.
   */
  grade(batchId: string, unit: Unit, correct: boolean): Promise<void>;
  /** Number of verdicts that come from an older version of a grader. They can be replaced without calls. */
  outdated(batchId: string): Promise<number>;
  /**
   * Grades the stored answers again whose verdicts come from an older version of a grader. Makes no calls. Rejects with a
   * `FaultError` (`run-busy`) while the batch is running, and with an `AbortError` on abort. What is done by then stays.
   */
  regrade(batchId: string, signal: AbortSignal, onprogress?: ProgressListener): Promise<Regraded>;
}
