/**
 * @file How far a run trusts its checks: what was known about them when the run started. A run records this, so that it skips the
 * same steps when it is resumed or forked.
 */
import type { Domain } from '../worker/domain';
import type { CheckVerdict } from './verdict';

/** A verdict on an answer of which it is known whether it was right. */
export interface CheckObservation {
  /** Id of the worker that gave the verdict. */
  readonly checker: string;
  /** Id of the worker that gave the answer. Absent: the answer was made up to measure the checker. */
  readonly solver?: string;
  /** `null`: none of the domains of questions. */
  readonly domain: Domain | null;
  readonly verdict: CheckVerdict;
  readonly isRight: boolean;
}

/** An observation in a run. Its domain is that of the question. */
export type CheckedAnswer = Omit<CheckObservation, 'domain'>;

/** The number of answers with each verdict. */
export type VerdictCounts = Readonly<Record<CheckVerdict, number>>;

/** The verdicts of a checker on answers that are right, and on answers that are wrong. */
export interface CheckCounts {
  readonly right: VerdictCounts;
  readonly wrong: VerdictCounts;
}

/** The verdicts of a checker on planted answers in one domain. See `CheckObservation` for its fields. */
export interface MeasuredChecks extends CheckCounts, Pick<CheckObservation, 'checker' | 'domain'> {}

/** How many of some answers are right, or were called right. Not always whole, because other domains count less. */
export interface RightCount {
  readonly right: number;
  readonly of: number;
}

/** How often a checker says “right” of right answers, and of wrong answers. */
export interface CheckerRates {
  readonly ofRight: RightCount;
  readonly ofWrong: RightCount;
}

/** The user's rules for trust in checks. */
export interface TrustRules {
  /** See `CheckTrust.bound`. */
  readonly bound: number;
  /** Share of runs that go on after each check, from 0 to 1. */
  readonly goOnShare: number;
}

export interface CheckTrust {
  /**
   * A check settles an answer only if the lower end of the 90 % interval of P(the answer is right | the check says so) is above
   * this bound, from 0 to 1. A check about which too little is known always settles.
   */
  readonly bound: number;
  /**
   * Set if the run was drawn, before it started, to go on after each check, whatever it says. Such runs show what skipping would
   * have changed. Absent: no.
   */
  readonly goesOn?: true;
  /** The checkers about which anything is known in the domain of the question, by id of the worker. */
  readonly checkers: Readonly<Record<string, CheckerRates>>;
  /** The right answers of each worker, with its prior. Workers without an entry have only the prior. */
  readonly solvers: Readonly<Record<string, RightCount>>;
}
