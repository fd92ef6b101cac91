/**
 * @file Finds the Conductor of a saved run. It may be missing (a worker removed, a model not loaded), but a run with a finished
 * plan no longer needs it. So it fails only when a plan is requested.
 */
import { toFault, type Conductor, type ConductorInfo, type Fault } from '../contract';

/** Finds the Conductor of a saved run. If there is none, returns one that fails every request with the reason. */
export function conductorOf(info: ConductorInfo, find: (info: ConductorInfo) => Conductor): Conductor {
  try {
    return find(info);
  } catch (thrown) {
    return missingConductor(info, toFault(thrown));
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
