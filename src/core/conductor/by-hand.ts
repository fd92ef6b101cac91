/**
 * @file A workflow that a person wrote, as a Conductor.
 */
import { checkWorkflow, fault, type Conductor, type ConductorInfo, type Workflow } from '../contract';
import { instantConductor } from './instant';
import { limitsOf } from './limits';

export const BY_HAND_INFO: ConductorInfo = { id: 'by-hand', label: 'Written by hand', kind: 'by-hand', origin: null };

/**
 * Proposes this workflow, if it holds for the request; a `plan-failed` event (`plan-invalid`) says what is wrong otherwise.
 * It was written for the first round: where it hands over to a later one, the answer so far is kept.
 */
export function createByHandConductor(workflow: Workflow): Conductor {
  return instantConductor(
    BY_HAND_INFO,
    (request) => {
      if (request.round > 0) return { workflow: { steps: [] }, thought: '' };
      const problem = checkWorkflow(workflow, limitsOf(request));
      if (!problem) return { workflow, thought: '' };
      return { problem, fault: fault('plan-invalid', `${problem.message} Edit the plan and run it again.`) };
    },
    'person',
  );
}
