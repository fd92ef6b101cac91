/**
 * @file Limits how long Podium waits for an engine, which runs a local model. An engine can stop responding: when a driver
 * hangs, a Web Worker dies silently, or a grammar never compiles.
 */
import { abortError, FaultError, type Clock, type Fault } from '../../core/contract';

/** Longest waits before an engine counts as lost, ms. */
export interface EnginePatience {
  /** While a model loads: from one report of progress to the next. Compiling shaders for the first time can take a minute. */
  readonly load: number;
  /**
   * From the call to the first token, while the engine reads the prompt. Each report of reading progress
   * restarts the wait.
   */
  readonly firstToken: number;
  readonly nextToken: number;
  /** For a whole answer, from the call to its last token. */
  readonly answer: number;
}

export const ENGINE_PATIENCE: EnginePatience = {
  load: 180_000,
  firstToken: 180_000,
  nextToken: 60_000,
  answer: 30 * 60_000,
};

/**
 * Waits for a promise. After `ms`, throws a `FaultError` with the fault from `late`. Throws an `AbortError` as soon as the
 * signal aborts. Does not cancel the work behind the promise.
 */
export async function watch<T>(
  promise: Promise<T>,
  { ms, late, clock }: { readonly ms: number; readonly late: () => Fault; readonly clock: Clock },
  signal: AbortSignal,
): Promise<T> {
  // If the promise rejects after a timeout or an abort, the rejection must not be reported as unhandled.
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
