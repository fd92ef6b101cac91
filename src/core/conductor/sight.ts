/**
 * @file Assigns workers to steps if the question has images. A step that sees no other step needs to see the images, so it
 * goes to a worker that can see images, if the pool has one. Conductors that choose workers without regard to images use
 * `withSight`.
 */
import { canSee, type PlanRequest } from '../contract';
import type { InstantPlan } from './instant-plan';
import { choiceOf, rankWorkers } from './ranking';

/**
 * Changes the workers of a plan so that each step that sees no other step has a worker that can see images. If several workers can,
 * they take turns, best first. Steps of the Conductor do not change.
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
  // After a reassignment, the probability is unknown, because the plan is no longer the one that the policy chose.
  return isSame && logProbability !== undefined ? { ...changed, logProbability } : changed;
}
