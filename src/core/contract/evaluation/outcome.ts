/**
 * @file The outcome of one unit of a batch. A unit is one run of one method on one task. Tables and plots are made from outcomes
 * alone, so they need no stored runs.
 */
import type { Fault } from '../fault';
import type { Verdict } from '../run/grader';
import type { Cost } from '../run/judge-call';
import type { CheckedAnswer } from '../workflow/check-trust';
import type { Role } from '../workflow/workflow';
import type { Unit } from './batch';
import type { GradingProfile } from './task';

/**
 * `graded`: the unit has a verdict. An invalid plan counts as wrong. `failed`: the run has no answer, or the grader failed. A
 * failed unit does not count as wrong, and can be retried. `not-gradable`: the task cannot be graded here. `waiting`: a person
 * has to grade the answer.
 */
export const OUTCOME_STATUSES = ['graded', 'failed', 'not-gradable', 'waiting'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** A step of a finished plan. Statistics of workers and roles use it. */
export interface OutcomeStep {
  readonly workerId: string;
  readonly role: Role;
}

export interface Outcome extends Unit {
  readonly batchId: string;
  /** Absent for outcomes without a stored run. */
  readonly runId?: string;
  /** Set if another batch started the run. Absent: this batch did. */
  readonly isReused?: true;
  readonly status: OutcomeStatus;
  /** One verdict for each grading profile that the grader supports. Empty unless `status` is `graded`. */
  readonly verdicts: Readonly<Partial<Record<GradingProfile, Verdict>>>;
  /** Whether the Conductor's first answer was a valid workflow. `null`: unknown, or no Conductor had to write a workflow. */
  readonly format: boolean | null;
  /**
   * Set if nothing was known about the workers when the plan chose them, so that their order in the pool decided. Absent:
   * something was known, the plan does not depend on it, or an older version of Podium made the outcome.
   */
  readonly isUninformed?: true;
  /** Steps of the finished plans of all rounds, in order, without steps that the Conductor assigned to itself. */
  readonly steps: readonly OutcomeStep[];
  readonly rounds: number;
  /** Calls to workers, retries included. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Cost of the run in US dollars, without calls of unknown cost. */
  readonly usd: number;
  /** Calls of unknown cost. Absent: none. */
  readonly unpriced?: number;
  /**
   * The verdicts of checks on answers whose truth is known. If grading makes no calls, the checked answers are graded themselves.
   * Absent: there are none, or an older version of Podium made the outcome.
   */
  readonly checks?: readonly CheckedAnswer[];
  /** Failed or skipped steps that the run went on without. Absent: none. */
  readonly leftOut?: number;
  /** What this batch has paid for the run. Absent: the whole cost, or nothing if `isReused` is set. */
  readonly paid?: Cost;
  /** Cost of the judge for this batch. Not part of `usd`, because it shows nothing about the method. Absent: no cost. */
  readonly judge?: Cost;
  /** Time of the run, ms. Virtual time if the workers are simulated. */
  readonly elapsed: number;
  /** The reason for the status. Only with `failed` or `not-gradable`. */
  readonly fault?: Fault;
}

/** Identifies a unit within its batch. */
export function unitKey({ dataset, taskId, method, repeat }: Unit): string {
  return JSON.stringify([dataset, taskId, method, repeat]);
}

/** Removes the details of the verdicts and of the fault, which may quote the task or an answer. */
export function withoutTexts({ fault: failure, ...outcome }: Outcome): Outcome {
  const verdicts = Object.fromEntries(
    Object.entries(outcome.verdicts).map(([profile, verdict]): [string, Verdict] => [
      profile,
      { ...verdict, detail: '' },
    ]),
  );
  if (!failure) return { ...outcome, verdicts };
  const { detail: _detail, ...rest } = failure;
  return { ...outcome, verdicts, fault: rest };
}
