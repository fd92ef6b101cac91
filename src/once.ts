/** @file Parts of the page that are loaded late, once. */
import { fault, FaultError } from './core/contract';

/** Loads a part with its first use. Where that fails it says so in a `FaultError`, and the next use tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((thrown: unknown) => {
      loaded = null;
      const message = 'A part of Podium could not be loaded. Check the connection and reload the page.';
      throw new FaultError(fault('internal', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
    });
    return loaded;
  };
}
