/**
 * @file The stop between a plan and its steps, where a person wants to be asked: they may change the plan, and nothing is
 * called before they let it run. What they do is said as it happens, so that nothing of it is lost with the page.
 */
import { checkWorkflow, isAbort, sameWorkflow, type Person, type Workflow, type WorkflowLimits } from '../contract';
import type { RunContext } from './context';

export interface HeldPlan {
  readonly round: number;
  readonly workflow: Workflow;
  readonly limits: WorkflowLimits;
}

/**
 * Waits until the person lets the plan run. An edit that breaks the method's rules is not taken.
 * @returns the plan as they left it; `null` if the run was stopped meanwhile
 */
export async function awaitApproval(
  context: RunContext,
  person: Person,
  { round, workflow, limits }: HeldPlan,
): Promise<Workflow | null> {
  const { events, stop } = context;
  let current = workflow;
  events.emit({ type: 'plan-held', round, heldFor: 'approval' });
  try {
    for (;;) {
      const decision = await person.decide(stop.signal);
      if (context.stopping() || events.fault) return null;
      if (decision.round !== round) continue;
      if (decision.type === 'approve') break;
      if (decision.type !== 'edit' || !isNews(decision.workflow, current, limits)) continue;
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

function isNews(edited: Workflow, current: Workflow, limits: WorkflowLimits): boolean {
  return !sameWorkflow(edited, current) && checkWorkflow(edited, limits) === null;
}
