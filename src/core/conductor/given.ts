/**
 * @file Checks workflows whose steps the policy chose and whose subtasks a model wrote. The model must keep
 * the workers and the access of the given steps. The model does not write roles, so this file adds the roles
 * of the given steps.
 */
import type { PlanProblem, Step } from '../contract';
import type { ParsedWorkflow } from './parse';

/**
 * The parsed workflow with the roles of the given steps. Returns a problem if the number of steps, a worker or the access of a
 * step differs. Without given steps, returns `parsed` unchanged.
 */
export function heldTo(given: readonly Step[] | undefined, parsed: ParsedWorkflow): ParsedWorkflow {
  if (!given || !parsed.ok) return parsed;
  const { steps } = parsed.workflow;
  const problem = difference(given, steps);
  if (problem) return { ok: false, problem };
  return { ...parsed, workflow: { steps: steps.map((step, index) => withRole(step, given[index])) } };
}

/** `step` with the role of `given`. Unchanged if `given` has no role. */
export function withRole(step: Step, given: Step | undefined): Step {
  return given?.role ? { ...step, role: given.role } : step;
}

function difference(given: readonly Step[], steps: readonly Step[]): PlanProblem | null {
  if (steps.length !== given.length) {
    const message = `The workflow has ${steps.length} steps, but ${given.length} were given.`;
    return { code: 'unequal-lengths', message, at: Math.min(steps.length, given.length) };
  }
  for (const [index, { worker, access }] of steps.entries()) {
    const wanted = given[index];
    if (wanted?.worker !== worker) {
      const message = `Step ${index + 1} names worker ${worker}, but worker ${wanted?.worker ?? 0} was given.`;
      return { code: 'wrong-type', message, at: index };
    }
    if (wanted.access.join() !== access.join()) {
      const message = `Step ${index + 1} sees other steps than was given.`;
      return { code: 'wrong-type', message, at: index };
    }
  }
  return null;
}
