/**
 * @file When a failed call is made again by itself: only before its first word, only where time may cure the fault, and
 * with pauses that spread out those who wait for the same server.
 */
import { isHeldBack, mixSeed, seededRandom, type Fault } from '../contract';

/** Calls for one start of a step, the first included; those that were turned away for coming too soon are counted apart. */
const MAX_ATTEMPTS = 4;
/** Calls of one step that may be turned away for coming too soon: with pauses that grow, many minutes of waiting. */
const MAX_REFUSALS = 12;
/** A longer pause than this is for a person to decide, ms. */
const MAX_WAIT = 60_000;
/** The same where a limit will be over by then. */
const MAX_WAIT_FOR_LIMIT = 300_000;
const BASE_DELAY = 500;
const MAX_DELAY = 20_000;

/**
 * How long to pause before the next attempt, ms: exponential back-off with full jitter, never shorter than what the other
 * side asked for. `null`: not again by itself.
 * @param made attempts of this kind since the step was started, the failed one included: those turned away for coming too
 *   soon, or all others
 * @param seed differs for each attempt, so that a run played again pauses alike
 */
export function retryDelay(fault: Fault, made: number, seed: number): number | null {
  if (!fault.retryable || fault.code === 'quota-spent' || asksTooLong(fault)) return null;
  if (made >= (isHeldBack(fault) ? MAX_REFUSALS : MAX_ATTEMPTS)) return null;
  const most = Math.min(MAX_DELAY, BASE_DELAY * 2 ** (made - 1));
  return Math.max(fault.retryAfter ?? 0, Math.round(seededRandom(mixSeed(seed, 'retry'))() * most));
}

/** The fault of a step that is given up. Where the other side asked for a long pause, it says when to come back. */
export function givenUp(fault: Fault): Fault {
  // A spent quota says itself when it comes back.
  if (!fault.retryable || fault.code === 'quota-spent' || !asksTooLong(fault)) return fault;
  return {
    ...fault,
    message: `${fault.message} It asks for a pause of ${duration(fault.retryAfter ?? 0)}; try again after that.`,
  };
}

function asksTooLong(fault: Fault): boolean {
  const most = isHeldBack(fault) ? MAX_WAIT_FOR_LIMIT : MAX_WAIT;
  return fault.retryAfter !== undefined && fault.retryAfter > most;
}

function duration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
