/** @file A Conductor that proposes the user's own workflow. */
import { checkWorkflow, fault, type Conductor, type ConductorInfo, type Workflow } from '../contract';
import { instantConductor } from './instant';
import { limitsOf } from './limits';

export const BY_HAND_INFO: ConductorInfo = { id: 'by-hand', label: 'Written by hand', kind: 'by-hand', origin: null };

/**
 * In the first round, the Conductor proposes `workflow`. If it is not valid for the request, a `plan-failed` event
 * (`plan-invalid`) gives the reason. In later rounds, the Conductor proposes no steps, so the previous answer remains.
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
