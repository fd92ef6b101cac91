/**
 * @file The Conductor of a saved run. It may be gone (a worker removed, a model not loaded), yet a run whose plan stands
 * needs it no more; so its absence only counts once it is asked for a plan.
 */
import { toFault, type Conductor, type ConductorInfo, type Fault } from '../contract';

/** Finds the Conductor of a saved run; where there is none, one that answers every request with the reason. */
export function conductorOf(info: ConductorInfo, find: (info: ConductorInfo) => Conductor): Conductor {
  try {
    return find(info);
  } catch (thrown) {
    return absentConductor(info, toFault(thrown));
  }
}

function absentConductor(info: ConductorInfo, fault: Fault): Conductor {
  return {
    info,
    async *propose() {
      yield { type: 'plan-started', conductor: info, messages: [] };
      yield { type: 'plan-failed', problem: null, fault, text: '', usage: null, cost: null };
    },
  };
}
