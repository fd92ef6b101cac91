/**
 * @file Pairs of answers to the same question: the answer of a run, and that of one worker alone. The user compares them without
 * knowing who wrote which. The question is drawn before the run. The worker answers after the run, in one paid call.
 */
import type { Fault } from '../fault';
import type { Account } from '../money/account';
import type { PoolWorker } from '../worker/worker';

export const PREFERENCES = ['conductor', 'alone', 'equal', 'neither', 'skipped'] as const;
/** Which answer of a pair is better. `equal`: both are good. `neither`: both are bad. `skipped`: the user did not say. */
export type Preference = (typeof PREFERENCES)[number];

/** Set if the question was drawn: which worker also answers it alone. */
export interface DrawnAlone {
  /** Id of the worker, which is in the run's pool. */
  readonly worker: string;
  /** The share of questions that are drawn, from 0 to 1. */
  readonly share: number;
  /**
   * Set if the worker answers as often as the cost of the run allows, and its most frequent answer counts. Absent: it answers once.
   */
  readonly equalCost?: true | undefined;
}

/** The answer of the worker alone, with the cost of all calls for it. */
export interface AloneAnswer extends Account {
  /** `null`: the call is about to be sent, or it has failed. */
  readonly output: string | null;
  /** Number of calls so far. Absent: one. */
  readonly calls?: number | undefined;
  /** Why the call failed. Absent: it did not fail. */
  readonly fault?: Fault | undefined;
  /**
   * Set in the record that is stored before the call is sent. Its `cost` includes the maximum cost of the call. The record of the
   * ended call replaces it.
   */
  readonly pending?: true | undefined;
}

/** The user's comparison of a pair. */
export interface PairVote {
  readonly preferred: Preference;
  /** Wall clock, ms since the epoch. */
  readonly at: number;
}

/** The events of a pair. */
export type PairBody =
  | ({ readonly type: 'alone-answered' } & AloneAnswer)
  /** The user compared the two answers, or asked to see the run without a comparison. Only the first vote counts. */
  | { readonly type: 'pair-compared'; readonly preferred: Preference };

/**
 * Whether the user is to compare the run's answer with that of one worker alone, and has not done so. Until then, pages show neither
 * the plan nor the cost of the run, and not which answer is whose. A run that has ended without a whole answer is shown as usual.
 */
export function isBlind({ alone, aloneAnswer, vote, status, answer, early, importedAt }: BlindRun): boolean {
  if (!alone || vote || early || importedAt !== null || aloneAnswer?.fault) return false;
  return status === 'running' || (status === 'finished' && answer !== null);
}

/** The parts of a `Run` that decide. */
interface BlindRun {
  readonly alone?: DrawnAlone | undefined;
  readonly aloneAnswer: AloneAnswer | null;
  readonly vote: PairVote | null;
  readonly status: string;
  readonly answer: string | null;
  readonly early: object | null;
  readonly importedAt: number | null;
}

/** The worker that answers alone. `null`: the question was not drawn, or the worker is no longer in the pool. */
export function aloneWorker({
  alone,
  pool,
}: Pick<BlindRun, 'alone'> & { readonly pool: readonly PoolWorker[] }): PoolWorker | null {
  return pool.find(({ id }) => id === alone?.worker) ?? null;
}
