/** @file `loadOnce`: lazy-loads a part of the page, shares the result, and retries after a failure. */
import { fault, FaultError } from './fault';

/**
 * Creates a function that loads a part on its first call, and returns the same promise afterwards. A failure is not cached, so
 * the next call retries. If loading fails, the promise rejects with a retryable `FaultError`.
 * @param part name of the part, as used inside the error message
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
