/**
 * @file Limits how long a promise is awaited. The HTTP client's timeout does not cover streams that stall after they begin.
 */
import { FaultError, type Clock, type Fault } from '../../core/contract';

/** Without a reason, `abort` creates an error with a stack trace. That is expensive, because each piece of an answer is awaited. */
const OVER = 'over';

/**
 * Like `promise`, but rejects with a `FaultError` after `ms` milliseconds. `late` creates its fault. Does not
 * cancel the work.
 */
export async function waitAtMost<T>(promise: Promise<T>, ms: number, late: () => Fault, clock: Clock): Promise<T> {
  const over = new AbortController();
  const alarm = clock.sleep(ms, over.signal).then(() => {
    throw new FaultError(late());
  });
  try {
    return await Promise.race([promise, alarm]);
  } finally {
    over.abort(OVER);
  }
}
