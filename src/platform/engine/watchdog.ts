/**
 * @file Limits every wait for an engine. An engine can stop responding: when a driver hangs, a Web Worker dies silently, or a
 * grammar never compiles.
 */
import { abortError, FaultError, type Clock, type Fault } from '../../core/contract';

/** Longest waits before an engine counts as lost, ms. */
export interface EnginePatience {
  /** While a model loads: from one report of progress to the next. Compiling shaders for the first time can take a minute. */
  readonly load: number;
  /** From the call to the first token, while the engine reads the prompt. Each report of how much it has read restarts the wait. */
  readonly firstToken: number;
  readonly nextToken: number;
}

export const ENGINE_PATIENCE: EnginePatience = { load: 180_000, firstToken: 180_000, nextToken: 60_000 };

/**
 * Waits for a promise at most `ms`, then throws the fault of `late` as a `FaultError`. Throws an `AbortError` as soon as the
 * signal aborts. Does not cancel the work behind the promise. The caller must do that.
 */
export async function watch<T>(
  promise: Promise<T>,
  { ms, late, clock }: { readonly ms: number; readonly late: () => Fault; readonly clock: Clock },
  signal: AbortSignal,
): Promise<T> {
  // After a timeout, no caller handles a rejection of the promise, so it is handled here.
  promise.catch(() => undefined);
  if (signal.aborted) throw abortError();
  const over = new AbortController();
  const alarm = clock.sleep(ms, over.signal).then(() => {
    throw new FaultError(late());
  });
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortError()), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([promise, alarm, aborted]);
  } finally {
    over.abort();
  }
}
