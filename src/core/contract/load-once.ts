/** @file `loadOnce`: lazy-loads a part of the page, shares the result, and retries after a failure. */
import { fault, FaultError } from './fault';

/**
 * Returns a function that loads a part on its first call and caches the promise. If loading fails, the promise rejects with a
 * retryable `FaultError`, and the next call loads the part again.
 * @param part name of the part for the error message
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
