/**
 * @file Repeats a download if the file arrived damaged, if the connection broke, or if the server reported an internal error.
 */
import { FaultError, type Clock, type FaultCode } from '../../../core/contract';

const ATTEMPTS = 3;
/**
 * After a broken connection or an internal error of the server: the pause before the second attempt, ms.
 * The pause doubles with each further attempt.
 */
const PAUSE = 1_000;

/** The clock and the signal for pauses between attempts. */
export interface Pauses {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Runs the work, and repeats it up to twice after a fault that another attempt may avoid. Throws what the last attempt threw.
 * @param work receives the number of the attempt, from 1
 * @param pauses absent: only damaged files are requested again, and an unreachable server is reported at once
 */
export async function withAttempts<T>(work: (attempt: number) => Promise<T>, pauses?: Pauses): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (thrown) {
      if (attempt === ATTEMPTS || !(thrown instanceof FaultError) || !thrown.fault.retryable) throw thrown;
      const { code } = thrown.fault;
      if (code === 'broken-reply') continue;
      if (!pauses || !BROKEN_CONNECTION.includes(code)) throw thrown;
      await pauses.clock.sleep(PAUSE * 2 ** (attempt - 1), pauses.signal);
    }
  }
}

/**
 * Faults that may be gone after a pause. An offline device or a busy hub needs more time, so their faults are not in the list.
 */
const BROKEN_CONNECTION: readonly FaultCode[] = ['unreachable', 'server-error'];
