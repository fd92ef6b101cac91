/** @file Gets a template's plan before its run starts. No model is called. */
import { planRequestOf, type Workflow } from '../../contract';
import { startOf, type NewRun } from '../../runs/new-run';

/**
 * The plan of a template. `null`: the run's Conductor is not a template, or the template has no plan for
 * this pool.
 */
export async function templatePlan(request: NewRun, signal: AbortSignal): Promise<Workflow | null> {
  if (request.conductor.info.kind !== 'template') return null;
  for await (const event of request.conductor.propose(planRequestOf(startOf(request)), signal)) {
    if (event.type === 'plan-finished') return event.workflow;
  }
  return null;
}
