/**
 * @file A measurement of workers: generated tasks of known difficulty, asked one after another. Everything that happens is an
 * event, so a stopped or interrupted measurement continues from its events. Not part of the contract's index, because only the
 * page that measures needs it.
 */
import type { Fault } from '../fault';
import type { LogStamp } from '../storage/event-logs';
import type { ReasoningLevel } from '../worker/provider';
import type { Domain } from '../worker/domain';
import type { PoolWorker } from '../worker/worker';
import type { CheckVerdict } from '../workflow/verdict';
import type { Role } from '../workflow/workflow';

/** Output limit of each call, in tokens. A worker's own lower limit applies. */
export const MEASURED_TOKENS = 8_192;

/** A worker as it was when the measurement started. If one of these values changes, its figures are stale. */
export interface MeasuredWorker {
  readonly worker: PoolWorker;
  /** The setup's settings for thinking. Absent: none. */
  readonly reasoning?: ReasoningLevel | null;
  readonly reasoningTokens?: number;
  /** Tasks to ask at most. Planted answers to check come in addition. */
  readonly tasks: number;
  /** Planted answers to check at most. */
  readonly checks: number;
}

/** A dataset whose tasks are asked, too. */
export interface MeasuredDataset {
  readonly id: string;
  readonly name: string;
  /** The dataset's revision. A dataset with the same revision has the same tasks. */
  readonly revision: string;
  /** The answers to confidential tasks are graded, but their texts are not stored. */
  readonly isConfidential: boolean;
}

export interface MeasurementPlan {
  readonly workers: readonly MeasuredWorker[];
  /** Absent: all tasks are generated. */
  readonly datasets?: readonly MeasuredDataset[];
  readonly seed: number;
  /** Budget in US dollars. It is never exceeded. */
  readonly usd: number;
  /** Revision of the generated tasks. Figures of other revisions can't be compared. */
  readonly revision: number;
}

/** One task, or one planted answer to check. */
export interface MeasuredItem {
  /** Index of the worker in the plan. */
  readonly worker: number;
  /** Number of the item of this worker, from 0. */
  readonly number: number;
  /** Id of the family of generated tasks, or `dataset:` and the id of a dataset. */
  readonly family: string;
  readonly level: number;
  /** Id of the dataset's task. Absent: the task is generated. */
  readonly task?: string;
  /** Seed of the task. The worker's n-th item has the same seed for all workers. */
  readonly seed: number;
  /** Whether the planted answer is right. Absent: the worker solves the task. */
  readonly planted?: boolean;
}

/**
 * How a call ended.
 * - `answered`: with an answer
 * - `cut-off`: the answer reached the output limit
 * - `refused`: the model or its provider refused to answer
 * - `failed`: the call failed, after the usual retries
 * - `lost`: the page closed, the measurement was stopped, or the worker could not be called. Does not count
 */
export const ANSWER_ENDS = ['answered', 'cut-off', 'refused', 'failed', 'lost'] as const;
export type AnswerEnd = (typeof ANSWER_ENDS)[number];

export interface MeasuredAnswer {
  readonly end: AnswerEnd;
  /** Whether the task was solved, or the planted answer was judged as it is. */
  readonly right: boolean;
  /** Whether the answer had the form that was asked for. */
  readonly readable: boolean;
  /** The verdict on a planted answer. Absent: the item was a task. */
  readonly verdict?: CheckVerdict;
  /** The end of the answer's text. `''`: the task is confidential. */
  readonly text: string;
  /** US dollars. `null`: unknown, so the maximum cost counts. */
  readonly usd: number | null;
  /** Time of the call with its retries, ms. */
  readonly ms: number;
  readonly fault?: Fault;
}

/** The figures of a worker that Conductors read. */
export interface WorkerFigures {
  readonly id: string;
  readonly domains?: Partial<Record<Domain, number>>;
  readonly strengths?: Partial<Record<Role, number>>;
}

export type MeasurementBody =
  | { readonly type: 'started'; readonly plan: MeasurementPlan }
  /** Stored before the call is sent, so that the call counts even if the page closes. @param usd its maximum cost */
  | { readonly type: 'asked'; readonly item: MeasuredItem; readonly usd: number }
  | { readonly type: 'answered'; readonly worker: number; readonly number: number; readonly answer: MeasuredAnswer }
  /** A worker can't be called any more. */
  | { readonly type: 'worker-ended'; readonly worker: number; readonly fault: Fault }
  | { readonly type: 'stopped' }
  | { readonly type: 'resumed' }
  | { readonly type: 'finished' }
  /** The figures were given to the workers. @param before what the workers had before */
  | { readonly type: 'used'; readonly before: readonly WorkerFigures[] }
  | { readonly type: 'undone' };

export type MeasurementEvent = MeasurementBody & LogStamp;
