/** @file Makes the plan of a run whose Conductor is a template, before the run starts. Makes no calls. */
import { planRequestOf, type Workflow } from '../../contract';
import { startOf, type NewRun } from '../../runs';

/**
 * The plan of a template. `null`: the run's Conductor is not a template, or the template makes no plan for
 * this pool.
 */
export async function templatePlan(request: NewRun, signal: AbortSignal): Promise<Workflow | null> {
  if (request.conductor.info.kind !== 'template') return null;
  for await (const event of request.conductor.propose(planRequestOf(startOf(request)), signal)) {
    if (event.type === 'plan-finished') return event.workflow;
  }
  return null;
}
