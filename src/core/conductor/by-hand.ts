/** @file A Conductor that proposes a workflow written by the user. */
import { checkWorkflow, fault, type Conductor, type ConductorInfo, type Workflow } from '../contract';
import { instantConductor } from './instant';
import { limitsOf } from './limits';

export const BY_HAND_INFO: ConductorInfo = { id: 'by-hand', label: 'Written by hand', kind: 'by-hand', origin: null };

/**
 * Creates a Conductor that proposes `workflow` in the first round. If `workflow` is invalid for the request, the Conductor
 * reports the problem in a `plan-failed` event with the fault `plan-invalid`. In later rounds, the Conductor proposes an empty
 * workflow, which keeps the previous answer.
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
