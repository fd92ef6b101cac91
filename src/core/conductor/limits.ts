/** @file Derives from a request the limits of a workflow and the workers that can do its steps. */
import type { PlanRequest, WorkflowLimits } from '../contract';

/**
 * The limits of a workflow for this request. The pool includes the Conductor's own entry only if the Conductor may name itself.
 * An empty workflow is allowed only if an earlier round left an answer.
 */
export function limitsOf(request: PlanRequest): WorkflowLimits {
  const { pool, maxSteps, recursion } = request;
  const named = recursion ? pool : pool.filter((worker) => worker.kind !== 'conductor');
  const showsEarlier = request.showsEarlier === true;
  return { poolSize: named.length, maxSteps, recursion, allowEmpty: hasEarlierAnswer(request), showsEarlier };
}

/** Whether an earlier round left an answer that can be kept. */
export function hasEarlierAnswer({ earlier }: PlanRequest): boolean {
  return earlier.some(({ answer }) => answer.trim() !== '');
}

/**
 * The workers that accept a subtask in words, as indexes into the pool. These are all workers except the Conductor itself and
 * Python, which runs code and takes no instructions.
 */
export function workersOf(request: PlanRequest): number[] {
  const last = request.pool.length - 1;
  return [...request.pool.entries()]
    .filter(([index, worker]) => worker.kind !== 'conductor' && !(request.recursion && index === last))
    .filter(([, worker]) => worker.kind !== 'python')
    .map(([index]) => index);
}
