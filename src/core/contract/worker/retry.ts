/**
 * @file Decides whether a failed call to a worker is retried automatically, and how long to pause first. A call is retried
 * only if waiting may help. The caller must check that no text of the call has arrived. The pauses are random, so that many
 * calls don't hit the same server at once.
 */
import type { Fault } from '../fault';
import { mixSeed, seededRandom } from '../random';
import { isHeldBack } from '../run/fold-steps';

/**
 * Maximum number of calls for one start of a step, including the first call. Calls that hit a rate limit or a
 * busy server count only towards `MAX_REFUSALS` (see `isHeldBack`).
 */
const MAX_ATTEMPTS = 4;
/**
 * Maximum number of calls that hit a rate limit or a busy server, for one start of a step. The pauses at the gate
 * (`platform/workers/limits`) make these calls last over a minute, which is enough for most servers to load a model.
 */
const MAX_REFUSALS = 12;
/** Longest automatic pause, ms. If a server requests a longer pause, the user decides when to retry. */
const MAX_WAIT = 60_000;
/** Longest automatic pause for a rate limit, ms. It is longer than for other faults, because a rate limit is sure to end. */
export const MAX_WAIT_FOR_LIMIT = 300_000;
/**
 * Upper limit of the random pause after the first failed call, ms. Each further failed call doubles the upper
 * limit, up to `MAX_DELAY`.
 */
const BASE_DELAY = 500;
const MAX_DELAY = 20_000;

/**
 * How long to pause before the next attempt, ms: exponential back-off with full jitter, never shorter than the pause that the
 * server requested. `null`: no automatic retry.
 * @param made number of failed attempts since the step was started, including the one with this fault.
 *   Attempts that were held back are counted separately from the other failed attempts
 * @param seed different for each attempt
 */
export function retryDelay(fault: Fault, made: number, seed: number): number | null {
  if (!fault.retryable || fault.code === 'quota-spent' || pausesTooLong(fault)) return null;
  if (made >= (isHeldBack(fault) ? MAX_REFUSALS : MAX_ATTEMPTS)) return null;
  const most = Math.min(MAX_DELAY, BASE_DELAY * 2 ** (made - 1));
  return Math.max(fault.retryAfter ?? 0, Math.round(seededRandom(mixSeed(seed, 'retry'))() * most));
}

/** The fault of a step that is not retried. If the server requested a long pause, the message says when to try again. */
export function finalFault(fault: Fault): Fault {
  // The message about an exhausted quota already says when the quota resets.
  if (!fault.retryable || fault.code === 'quota-spent' || !pausesTooLong(fault)) return fault;
  return {
    ...fault,
    message: `${fault.message} Try again in ${duration(fault.retryAfter ?? 0)}.`,
  };
}

function pausesTooLong(fault: Fault): boolean {
  const most = isHeldBack(fault) ? MAX_WAIT_FOR_LIMIT : MAX_WAIT;
  return fault.retryAfter !== undefined && fault.retryAfter > most;
}

function duration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
