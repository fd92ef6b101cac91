/**
 * @file Makes the Conductor of a run from its recorded description. The page, its Web Worker for batches and the command line
 * differ only in the Conductors that they can make.
 */
import { fault, FaultError, type Conductor, type ConductorInfo } from '../contract';
import { createByHandConductor } from './by-hand';
import { createHeuristicConductor } from './heuristic';

export interface ConductorMakers {
  readonly policy: () => Conductor;
  /** `null`: there is no such template. */
  readonly template: (info: ConductorInfo) => Conductor | null;
  /** Makes a Conductor that uses a language model. `null`: the model is not available. */
  readonly written: (info: ConductorInfo) => Conductor | null;
  /** The end of the sentence about a Conductor that can't be made. */
  readonly missing: 'is no longer available' | 'is not available on the command line';
}

/** Returns a function that throws a `FaultError` (`worker-missing`) if the Conductor is not available. */
export function createConductorFor(makers: ConductorMakers): (info: ConductorInfo) => Conductor {
  const heuristic = createHeuristicConductor();
  return (info) => {
    if (info.kind === 'heuristic') return heuristic;
    if (info.kind === 'policy') return makers.policy();
    // The run already contains the user's plan for the first round. In later rounds, this Conductor plans no
    // steps, so the previous answer remains.
    if (info.kind === 'by-hand') return createByHandConductor({ steps: [] });
    const found = makers.template(info) ?? makers.written(info);
    if (found) return found;
    const message = `The Conductor ${info.label} ${makers.missing}. Choose another one.`;
    throw new FaultError(fault('worker-missing', message));
  };
}
