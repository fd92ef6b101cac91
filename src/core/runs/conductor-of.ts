/**
 * @file Finds the Conductor of a saved run. The Conductor may be missing because a worker was removed or a model is not loaded.
 * A run with a finished plan no longer needs its Conductor. Therefore a missing Conductor fails only when a plan is requested.
 * If a plan will be needed, another Conductor can plan instead.
 */
import { toFault, type Conductor, type ConductorInfo, type Fault } from '../contract';

/**
 * Finds the Conductor of a saved run. If it is missing, returns the substitute. If there is no substitute, returns a Conductor
 * that fails every request with the reason.
 */
export function conductorOf(
  info: ConductorInfo,
  find: (info: ConductorInfo) => Conductor,
  substitute?: Conductor,
): Conductor {
  try {
    return find(info);
  } catch (thrown) {
    return substitute ?? missingConductor(info, toFault(thrown));
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
