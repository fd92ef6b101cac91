/**
 * @file Decides when a failed call is retried automatically: only before its first text, only if waiting may help, and with
 * jittered pauses, so that many calls do not return to the same server at once.
 */
import { isHeldBack, mixSeed, seededRandom, type Fault } from '../contract';

/** Calls per start of a step, including the first. Calls that hit a rate limit are counted separately. */
const MAX_ATTEMPTS = 4;
/** Calls of one step that may hit a rate limit. With growing pauses, that is many minutes of waiting. */
const MAX_REFUSALS = 12;
/** Longest pause that is not left to the user, ms. */
const MAX_WAIT = 60_000;
/** The same for a rate limit, which will be over by then. */
const MAX_WAIT_FOR_LIMIT = 300_000;
const BASE_DELAY = 500;
const MAX_DELAY = 20_000;

/**
 * How long to pause before the next attempt, ms: exponential back-off with full jitter, never shorter than what the
 * server asked for. `null`: no automatic retry.
 * @param made attempts of this kind since the step was started, including the failed one: either those that hit a rate limit,
 *   or all others
 * @param seed differs for each attempt, so that the same run pauses the same way again
 */
export function retryDelay(fault: Fault, made: number, seed: number): number | null {
  if (!fault.retryable || fault.code === 'quota-spent' || pausesTooLong(fault)) return null;
  if (made >= (isHeldBack(fault) ? MAX_REFUSALS : MAX_ATTEMPTS)) return null;
  const most = Math.min(MAX_DELAY, BASE_DELAY * 2 ** (made - 1));
  return Math.max(fault.retryAfter ?? 0, Math.round(seededRandom(mixSeed(seed, 'retry'))() * most));
}

/** The fault of a step that is not retried. If the server asked for a long pause, it says when to try again. */
export function finalFault(fault: Fault): Fault {
  // The message of a spent quota already says when it resets.
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
