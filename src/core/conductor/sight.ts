/**
 * @file Replaces workers of a plan if the question has images. A step without access to other steps works from the images, so
 * its worker must be able to see images.
 */
import { canSee, type PlanRequest } from '../contract';
import type { InstantPlan } from './instant-plan';
import { choiceOf, rankWorkers } from './ranking';

/**
 * Replaces the workers of a plan so that each step without access to other steps has a worker that can see images. If several
 * workers can see images, they take turns, best first. Steps whose worker is the Conductor do not change. The plan is unchanged
 * if no worker in the pool can see images.
 */
export function withSight(plan: InstantPlan, request: PlanRequest): InstantPlan {
  if (!request.images || request.images.length === 0) return plan;
  const sees = (index: number) => {
    const worker = request.pool[index];
    return worker !== undefined && canSee(worker);
  };
  const seeing = rankWorkers(request, 'solve').filter(sees);
  if (seeing.length === 0) return plan;
  let turn = 0;
  const steps = plan.workflow.steps.map((step) => {
    const isConductor = request.pool[step.worker]?.kind === 'conductor';
    if (step.access.length > 0 || isConductor || sees(step.worker)) return step;
    return { ...step, worker: seeing[turn++ % seeing.length] ?? step.worker };
  });
  const choices = plan.choices?.map((choice, index) => {
    const step = steps[index];
    const isSame = !step || step.worker === plan.workflow.steps[index]?.worker;
    return isSame ? choice : choiceOf(request, step.worker, step.role ?? 'solve');
  });
  const { logProbability, ...changed } = { ...plan, workflow: { steps }, ...(choices ? { choices } : {}) };
  const isSame = steps.every((step, index) => step === plan.workflow.steps[index]);
  // The probability of a changed plan is unknown.
  return isSame && logProbability !== undefined ? { ...changed, logProbability } : changed;
}
