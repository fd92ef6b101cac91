/**
 * @file The user's decisions about plans. A run that waits for a decision emits the event `plan-held` and makes no calls. The
 * decision is recorded as an event, and then the run continues.
 */
import type { HeldFor } from './events';
import type { Plan, Run } from './state';
import type { Workflow } from '../workflow/workflow';

/** The user's decision for a waiting run. A decision for a round that isn't waiting is ignored. */
export type Decision =
  | { readonly type: 'edit'; readonly round: number; readonly workflow: Workflow }
  | { readonly type: 'approve'; readonly round: number }
  | { readonly type: 'choose'; readonly round: number; readonly candidate: number };

/** Delivers the user's decisions to a waiting run. */
export interface UserDecisions {
  /** Waits for the next decision, without a time limit. Rejects with an `AbortError` when aborted. */
  next(signal: AbortSignal): Promise<Decision>;
}

/** The plan that waits for the user's decision, and the reason. `null` if the run does not wait for the user. */
export function heldPlan(run: Run): { readonly round: number; readonly plan: Plan; readonly heldFor: HeldFor } | null {
  const round = run.rounds.at(-1);
  const plan = round?.plan;
  if (run.status !== 'running' || !round || !plan?.heldFor) return null;
  return { round: round.round, plan, heldFor: plan.heldFor };
}
