/**
 * @file Limits how long a promise is awaited. The HTTP client's timeout does not cover a stream that begins and then stalls.
 */
import { FaultError, type Clock, type Fault } from '../../core/contract';

/** Like `promise`, but rejects with a `FaultError` from `late` after `ms` milliseconds. Does not cancel the work. */
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
