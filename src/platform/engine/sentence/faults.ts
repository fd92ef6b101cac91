/** @file What can go wrong with a sentence model alone. */
import { fault, type Fault } from '../../../core/contract';
import type { Named } from '../faults';

/** It was fetched once; the browser, or the user, has deleted it since. */
export function goneFault({ label }: Pick<Named, 'label'>): Fault {
  return fault('not-found', `The files of ${label} are not on this machine any more. Fetch it again on Models.`);
}

export function damagedFault({ label }: Named, detail?: string): Fault {
  const message = `The files of ${label} on this machine were damaged and have been deleted. Fetch it again on Models.`;
  return fault('broken-reply', message, detail === undefined ? {} : { detail });
}

/** What runs the model comes with Podium and not from the hub. */
export function runtimeFault({ label }: Named, isOnline: boolean, detail: string): Fault {
  const message = `What runs ${label} could not be fetched. Check the connection and try again.`;
  return fault(isOnline ? 'unreachable' : 'offline', message, { retryable: true, detail });
}
