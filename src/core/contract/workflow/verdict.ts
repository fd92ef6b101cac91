/**
 * @file The verdict of a check: what a `verify` step says about each answer that it saw. The executor skips the steps after a check
 * that found everything right, so a check is asked for its verdict in a form that can be read.
 */

export const VERDICTS = ['right', 'wrong', 'unsure'] as const;
export type CheckVerdict = (typeof VERDICTS)[number];

/** The verdict of a check on the output of an earlier step. `step`: 0-based index of that step. */
export interface StepVerdict {
  readonly step: number;
  readonly verdict: CheckVerdict;
}

/** Why a step was settled without a call. Both are 0-based indexes of earlier steps. */
export interface Settlement {
  /** The step that gave the answer. */
  readonly from: number;
  /** The checks that found the answer right, or else the attempts that agree, `from` included. */
  readonly evidence: readonly number[];
}

/** What the request for verdicts begins with. Simulated workers recognize it. */
export const VERDICT_REQUEST = '\n\nEnd your reply with your verdict: right, wrong or unsure.';
