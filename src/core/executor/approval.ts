/**
 * @file Holds a plan until the user approves it. The user may edit the plan first. Each edit is recorded at once, so that no edit
 * is lost if the page is closed.
 */
import {
  checkWorkflow,
  isAbort,
  sameWorkflow,
  type UserDecisions,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import type { RunContext } from './context';

export interface HeldPlan {
  readonly round: number;
  readonly workflow: Workflow;
  readonly limits: WorkflowLimits;
}

/**
 * Waits until the user approves the plan. Ignores edits that make the plan invalid, and decisions about other rounds.
 * @returns the approved plan, or `null` if the run was stopped or storage failed
 */
export async function awaitApproval(
  context: RunContext,
  decisions: UserDecisions,
  { round, workflow, limits }: HeldPlan,
): Promise<Workflow | null> {
  const { events, stop } = context;
  let current = workflow;
  events.emit({ type: 'plan-held', round, heldFor: 'approval' });
  try {
    for (;;) {
      const decision = await decisions.next(stop.signal);
      if (context.stopping() || events.fault) return null;
      if (decision.round !== round) continue;
      if (decision.type === 'approve') break;
      if (decision.type !== 'edit' || !isValidChange(decision.workflow, current, limits)) continue;
      current = decision.workflow;
      events.emit({ type: 'plan-edited', round, workflow: current });
    }
  } catch (thrown) {
    if (isAbort(thrown)) return null;
    throw thrown;
  }
  await events.emitDurably({ type: 'plan-approved', round });
  return context.stopping() || events.fault ? null : current;
}

function isValidChange(edited: Workflow, current: Workflow, limits: WorkflowLimits): boolean {
  return !sameWorkflow(edited, current) && checkWorkflow(edited, limits) === null;
}
