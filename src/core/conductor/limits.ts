/**
 * @file For a plan request, determines the limits of the workflow, and the workers that accept subtasks in plain
 * words.
 */
import type { PlanRequest, WorkflowLimits } from '../contract';

/**
 * The limits of a workflow for this request. The pool size includes the Conductor's own entry only if
 * recursion is on. Without recursion, no step may name the Conductor. An empty workflow is allowed only if an
 * earlier round has an answer.
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
 * The workers that accept subtasks in plain words, as indexes into the pool. The Conductor's own entry is left
 * out. The worker *Python* is left out too, because it only runs code.
 */
export function workersOf(request: PlanRequest): number[] {
  const last = request.pool.length - 1;
  return [...request.pool.entries()]
    .filter(([index, worker]) => worker.kind !== 'conductor' && !(request.recursion && index === last))
    .filter(([, worker]) => worker.kind !== 'python')
    .map(([index]) => index);
}
