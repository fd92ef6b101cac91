/**
 * @file The fault of an engine whose code could not be loaded. This file is separate from the other faults of local models, so that
 * the first page load does not include them.
 */
import { fault, thrownWords, type Fault } from '../../core/contract';

/**
 * The code of an engine is downloaded with the first model. Afterwards it is on this device, like the model.
 * @param thrown what the browser reported
 */
export function codeFault({ label }: { readonly label: string }, isOnline: boolean, thrown: unknown): Fault {
  const detail = thrownWords(thrown).slice(0, 500);
  if (!isOnline) {
    const message = `This device is offline, and the program that runs ${label} isn’t downloaded yet. Reconnect, then load the model again. Downloaded files of the model are kept.`;
    return fault('offline', message, { retryable: true, detail });
  }
  const message = `Couldn’t load the program that runs ${label}. Check the connection, reload the page, then load the model again. Downloaded files of the model are kept.`;
  return fault('unreachable', message, { retryable: true, detail });
}
