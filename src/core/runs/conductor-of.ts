/**
 * @file Finds the Conductor of a saved run. The Conductor may be missing because a worker was removed or a model is not loaded.
 * A run with a finished plan needs no Conductor, so a missing Conductor causes an error only when a plan is requested.
 */
import { toFault, type Conductor, type ConductorInfo, type Fault, type Run } from '../contract';

interface Sources {
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  readonly substitute?: Conductor;
}

/**
 * Finds the Conductor of a saved run. If it is missing and a plan may be needed (`mayPlan`), returns the substitute. If no plan
 * is needed or there is no substitute, returns a Conductor that fails every request. The fault says why the run's
 * Conductor is missing.
 */
export function conductorOf(
  { conductor: info }: Run,
  { mayPlan }: { readonly mayPlan: boolean },
  { conductorFor, substitute }: Sources,
): Conductor {
  try {
    return conductorFor(info);
  } catch (thrown) {
    return (mayPlan ? substitute : undefined) ?? missingConductor(info, toFault(thrown));
  }
}

function missingConductor(info: ConductorInfo, fault: Fault): Conductor {
  return {
    info,
    async *propose() {
      yield { type: 'plan-started', conductor: info, messages: [] };
      yield { type: 'plan-failed', problem: null, fault, text: '', usage: null, cost: null };
    },
  };
}
