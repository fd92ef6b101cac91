/** @file `loadOnce`: lazy-loads a part of the page, shares the result, and tries again after a failure. */
import { fault, FaultError } from './fault';

/**
 * Loads a part on its first use and returns the same promise from then on. A failure is not kept: the next use loads again.
 * Rejects with a retryable `FaultError`.
 * @param part what could not be loaded, as it stands in the middle of a sentence
 */
export function loadOnce<T>(load: () => Promise<T>, part = 'a part of Podium'): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((thrown: unknown) => {
      loaded = null;
      const message = `Couldn't load ${part}. Check the connection and reload the page.`;
      throw new FaultError(fault('internal', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
    });
    return loaded;
  };
}
