/**
 * @file The fault of an unloaded model. This file is separate from the other faults of local
 * models, so that the first page load does not include them.
 */
import { fault, type Fault } from '../../core/contract';

/** The fault of a call that was in progress when its model was unloaded. */
export function unloadedFault({ label }: { readonly label: string }): Fault {
  return fault('interrupted', `${label} was unloaded during the call. Load it on Models, then try again.`);
}
