/**
 * @file How a run waits for a person: what it waits for, what the person may say, and the way by which that comes back.
 * A run says `plan-held`, calls nothing, and goes on with what it is told; what it was told is an event again.
 */
import type { HeldFor } from './events';
import type { Plan, Run } from './state';
import type { Workflow } from '../workflow/workflow';

/** What a person says to a run that waits. One that names another round than the one that waits is void. */
export type Decision =
  | { readonly type: 'edit'; readonly round: number; readonly workflow: Workflow }
  | { readonly type: 'approve'; readonly round: number }
  | { readonly type: 'choose'; readonly round: number; readonly candidate: number };

/** The person before the page, as a run sees them. */
export interface Person {
  /** The next thing they say, in order; waits for as long as it takes. Rejects with an `AbortError` after an abort. */
  decide(signal: AbortSignal): Promise<Decision>;
}

/** The plan that a run waits with, and for what; `null` where it waits for nobody. */
export function heldPlan(run: Run): { readonly round: number; readonly plan: Plan; readonly heldFor: HeldFor } | null {
  const round = run.rounds.at(-1);
  const plan = round?.plan;
  if (run.status !== 'running' || !round || !plan?.heldFor) return null;
  return { round: round.round, plan, heldFor: plan.heldFor };
}
