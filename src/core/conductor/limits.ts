/** @file Derives from a plan request: the limits of the workflow, and the workers that accept a subtask in words. */
import type { PlanRequest, WorkflowLimits } from '../contract';

/**
 * The limits of a workflow for this request. The Conductor's own entry in the pool counts only if recursion is on, because only
 * then may a step name the Conductor. An empty workflow is allowed only if an earlier round has an answer.
 */
export function limitsOf(request: PlanRequest): WorkflowLimits {
  const { pool, maxSteps, recursion } = request;
  const named = recursion ? pool : pool.filter((worker) => worker.kind !== 'conductor');
  const showsEarlier = request.showsEarlier === true;
  return { poolSize: named.length, maxSteps, recursion, allowEmpty: hasEarlierAnswer(request), showsEarlier };
}

/** Whether an earlier round has an answer, which an empty workflow would keep. */
export function hasEarlierAnswer({ earlier }: PlanRequest): boolean {
  return earlier.some(({ answer }) => answer.trim() !== '');
}

/**
 * The workers that accept a subtask in words, as indexes into the pool. The Conductor's own entry is left out. The worker
 * *Python* is left out too, because it runs code and can't follow instructions.
 */
export function workersOf(request: PlanRequest): number[] {
  const last = request.pool.length - 1;
  return [...request.pool.entries()]
    .filter(([index, worker]) => worker.kind !== 'conductor' && !(request.recursion && index === last))
    .filter(([, worker]) => worker.kind !== 'python')
    .map(([index]) => index);
}
