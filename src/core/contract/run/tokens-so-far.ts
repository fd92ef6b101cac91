/** @file Counts the tokens of a run so far, including the plan that is being written. */
import { estimateTokens } from '../money/estimate';
import { isAwaitingModel } from './fold-plan';
import type { Plan, Run } from './state';

/** Approximate number of tokens that a model has written for its plan so far, including its reasoning. */
export function writtenTokens({ text, reasoning }: Pick<Plan, 'text' | 'reasoning'>): number {
  return estimateTokens(text) + estimateTokens(reasoning);
}

/** The plan that a model is writing now. `null` if no model is writing a plan. */
export function planBeingWritten({ status, rounds }: Pick<Run, 'status' | 'rounds'>): Plan | null {
  const plan = rounds.at(-1)?.plan;
  const isByModel = plan && isAwaitingModel(plan) && plan.retries.at(-1)?.next !== 'fallback';
  return status === 'running' && isByModel ? plan : null;
}

/**
 * Counts the tokens of the ended calls, plus an estimate for the plan that is being written. The estimate is needed because
 * engines report exact numbers only when a call ends.
 * @returns `tokens: null` while the run is in progress and no tokens are known
 */
export function tokensSoFar(run: Pick<Run, 'status' | 'rounds' | 'spent'>): {
  readonly tokens: number | null;
  readonly isEstimated: boolean;
} {
  const { input, output, estimated } = run.spent;
  const plan = planBeingWritten(run);
  const written = plan ? writtenTokens(plan) : 0;
  const tokens = input + output + written;
  const isUnknown = tokens === 0 && run.status === 'running';
  return { tokens: isUnknown ? null : tokens, isEstimated: estimated || written > 0 };
}
