/** @file Paid comparisons of answers by a worker, after the end of a run. Events of the run record them, so that none is paid twice. */
import type { Account } from '../money/account';

/** What a worker says about several answers to the same question. Each entry is one statement. */
export interface AnswerAnalysis {
  readonly consensus: readonly string[];
  readonly contradictions: readonly string[];
  readonly gaps: readonly string[];
  readonly unique_insights: readonly string[];
  readonly blind_spots: readonly string[];
  /** Who changed their mind after seeing whom. Absent: not asked, or nobody did. */
  readonly changes?: readonly string[] | undefined;
}

/** A call to a worker that compares answers, or a free comparison by the tests of the run's task. */
export interface AnswerComparison extends Account {
  /** Name of the worker, or `the tests of the task`. */
  readonly by: string;
  /** Digest of the question and the compared answers. */
  readonly sha256: string;
  /** `null`: the call is about to be sent, or the worker's reply could not be read. */
  readonly analysis: AnswerAnalysis | null;
  /**
   * Set in the record that is stored before the call is sent. Its `cost` is the maximum cost of the call. The record of the ended
   * call replaces it.
   */
  readonly pending?: true | undefined;
}
