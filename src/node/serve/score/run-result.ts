/** @file Classifies the result of a run as an answer, no answer or unknown, to score the run's workflow. */
import type { FaultCode, Run } from '../../../core/contract';
import { faultText } from '../../fault-text';
import type { ScoreError } from './score-request';

/** Faults that the workflow itself causes. After any other fault, the quality of the workflow is unknown. */
const OF_THE_WORKFLOW: ReadonlySet<FaultCode> = new Set(['too-large', 'content-filtered', 'empty-reply']);

/**
 * `answered`: there is an answer to grade. `no-answer`: the workflow gave no answer. `unknown`: something else, such
 * as a failed worker or a cap, prevented or shortened the answer.
 */
export type RunResult =
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'unknown'; readonly error: ScoreError };

/** The budget of the server is used up. */
export const CAP_REACHED = 'cap_reached';
/** A cap that the pool sets for each run has limited this run. Other runs may stay below the cap. */
export const RUN_CAP = 'run_cap';
export const WORKER_OUTAGE = 'worker_outage';
/** The request was answered before the run had ended. */
export const TIMEOUT = 'timeout';
/** The run was stopped because it took too long. */
export const TIME_LIMIT = 'time_limit';
export const SHUTTING_DOWN = 'shutting_down';

export function resultOf(run: Run): RunResult {
  // A cap may also have shortened an answer. The workflow is not the cause, so its quality is unknown.
  const isShortened = run.rounds.some(({ steps }) =>
    steps.some(({ attempts }) => attempts.some(({ outputLimit }) => outputLimit !== null)),
  );
  if (run.capReached || isShortened) {
    const message = run.fault?.message ?? 'A cap on money, tokens or calls has limited this run.';
    return { kind: 'unknown', error: { code: codeOfCap(run), message, retryable: false } };
  }
  if (run.status === 'finished' && run.answer !== null) return { kind: 'answered', answer: run.answer };
  if (run.fault && OF_THE_WORKFLOW.has(run.fault.code)) return { kind: 'no-answer' };
  if (run.fault?.code === 'price-unknown') {
    return { kind: 'unknown', error: { code: codeOfCap(run), message: run.fault.message, retryable: false } };
  }
  const message = run.fault ? faultText(run.fault) : 'The run was stopped.';
  return { kind: 'unknown', error: { code: WORKER_OUTAGE, message, retryable: true } };
}

/**
 * The code of the cap that has limited or stopped a run: the server's budget, or a cap of the run itself.
 * If `capReached` is `null`, the cap only shortened an answer, or a call was refused because its price is
 * unknown. Then the cap is the server's budget if the run itself caps neither money nor tokens.
 */
function codeOfCap({ capReached, caps }: Run): string {
  if (capReached) return capReached.day ? CAP_REACHED : RUN_CAP;
  return caps.tokens === null && caps.usd === null ? CAP_REACHED : RUN_CAP;
}
