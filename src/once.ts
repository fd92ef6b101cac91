/** @file Parts of the page that are loaded late, once. */
import { fault, FaultError } from './core/contract';

/**
 * Loads a part with its first use. Where that fails it says so in a `FaultError`, and the next use tries again.
 * @param part its name, as a sentence begins with it
 */
export function once<T>(load: () => Promise<T>, part = 'A part of Podium'): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((thrown: unknown) => {
      loaded = null;
      const message = `${part} could not be loaded. Check the connection and reload the page.`;
      throw new FaultError(fault('internal', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
    });
    return loaded;
  };
}
