/**
 * @file The fault of an unloaded model. It has a separate file, so that the first page does not load the other faults of
 * local models.
 */
import { fault, type Fault } from '../../core/contract';

/** The fault of a call that was in progress when its model was unloaded. */
export function unloadedFault({ label }: { readonly label: string }): Fault {
  return fault('interrupted', `${label} was unloaded during the call. Load it on Models, then try again.`);
}
