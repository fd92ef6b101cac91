/**
 * @file What a request allows: which workers may be named, and what a workflow is held against.
 */
import type { PlanRequest, WorkflowLimits } from '../contract';

/**
 * What a workflow for this request must keep to. The Conductor's own entry counts only while it may still be named, and an
 * empty workflow is allowed only where it has an answer to keep.
 */
export function limitsOf(request: PlanRequest): WorkflowLimits {
  const { pool, maxSteps, recursion } = request;
  const named = recursion ? pool : pool.filter((worker) => worker.kind !== 'conductor');
  return { poolSize: named.length, maxSteps, recursion, allowEmpty: hasEarlierAnswer(request) };
}

/** Whether an earlier round left an answer that can be kept. */
export function hasEarlierAnswer({ earlier }: PlanRequest): boolean {
  return earlier.some(({ answer }) => answer.trim() !== '');
}

/**
 * The workers that can be given a subtask in words, as indexes into the pool: all but the Conductor itself, and Python,
 * which runs code and takes no instructions.
 */
export function workersOf(request: PlanRequest): number[] {
  const last = request.pool.length - 1;
  return [...request.pool.entries()]
    .filter(([index, worker]) => worker.kind !== 'conductor' && !(request.recursion && index === last))
    .filter(([, worker]) => worker.kind !== 'python')
    .map(([index]) => index);
}
