/**
 * @file The fault of an unloaded model. The fault has a separate file, because the first page needs no other fault of local
 * models.
 */
import { fault, type Fault } from '../../core/contract';

/** The fault for a call in progress when its model was unloaded. */
export function unloadedFault({ label }: { readonly label: string }): Fault {
  return fault('interrupted', `${label} was unloaded during the call. Load it on Models, then try again.`);
}
