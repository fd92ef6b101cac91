/** @file Running batches: what a batch may cost before it starts, and its progress while it runs. */
import type { Fault } from '../fault';
import type { BatchPlan, BatchStatus, Unit } from './batch';

/** What a batch may take. Known before it starts. */
export interface BatchEstimate {
  /** Runs that are still to do. */
  readonly units: number;
  /** Runs that need no call, because an equal one is there already. */
  readonly known: number;
  /** Calls to workers and to the Conductor's model, from the least to the most. */
  readonly calls: { readonly low: number; readonly high: number };
  /** US dollars. `null`: a price is unknown. */
  readonly usd: { readonly low: number; readonly high: number } | null;
  /** Milliseconds. `null`: unknown, because no worker has been measured. */
  readonly time: number | null;
}

export interface BatchProgress {
  readonly status: BatchStatus;
  readonly units: number;
  /** Units with an outcome, whatever it is. */
  readonly done: number;
  readonly running: number;
  readonly graded: number;
  /** Correct under the strict profile. */
  readonly right: number;
  /** No answer, or the grader failed. */
  readonly failed: number;
  readonly notGradable: number;
  /** To be graded by a person. */
  readonly waiting: number;
  /** Cost so far, US dollars. `unpriced`: units whose cost is unknown. */
  readonly usd: number;
  readonly unpriced: number;
  /** Estimated time that is left, ms. `null`: too early to say. */
  readonly remaining: number | null;
  /** Why it paused. `null`: it did not, or the user paused it. */
  readonly fault: Fault | null;
}

/** A batch that runs in this tab. */
export interface LiveBatch {
  readonly id: string;
  readonly progress: BatchProgress;
  /** Resolves with the last progress once nothing of it runs. Never rejects. */
  readonly done: Promise<BatchProgress>;
  /** @returns unsubscribes */
  subscribe(listener: (progress: BatchProgress) => void): () => void;
  /** Starts no further run, and lets those that run end. */
  pause(): void;
  /** Starts no further run, and stops those that run. */
  stop(): void;
}

export interface BatchRunner {
  /** @param batchId outcomes of this batch need no run. Absent: a new batch */
  estimate(plan: BatchPlan, batchId: string | null, signal: AbortSignal): Promise<BatchEstimate>;
  /**
   * Starts a stored batch, or continues it: units with an outcome are not run again, and a run that was interrupted is resumed.
   * Rejects with a `FaultError` (`run-busy`) if it runs already, here or in another tab.
   */
  start(batchId: string): Promise<LiveBatch>;
  /** Forgets the outcomes that failed, and starts. */
  retryFailed(batchId: string): Promise<LiveBatch>;
  live(batchId: string): LiveBatch | null;
  /** Progress of a batch that does not run here, from its stored outcomes. */
  progress(batchId: string): Promise<BatchProgress>;
  /** Records a person's verdict on a unit that waits for one. */
  grade(batchId: string, unit: Unit, correct: boolean): Promise<void>;
}
