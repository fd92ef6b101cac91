/**
 * @file Limits to waiting. The HTTP client's own timeout does not cover a stream that has begun and then falls silent.
 */
import { FaultError, type Clock, type Fault } from '../../core/contract';

/** Waits for a promise at most `ms`; then throws what `late` says. Does not cancel what it waited for. */
export async function waitAtMost<T>(promise: Promise<T>, ms: number, late: () => Fault, clock: Clock): Promise<T> {
  const over = new AbortController();
  const alarm = clock.sleep(ms, over.signal).then(() => {
    throw new FaultError(late());
  });
  try {
    return await Promise.race([promise, alarm]);
  } finally {
    over.abort();
  }
}
