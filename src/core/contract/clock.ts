/**
 * @file Time, handed in so that tests need not sleep.
 */
export interface Clock {
  /** Wall clock, ms since the epoch. */
  now(): number;
  /** Monotonic, ms since some fixed moment. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with an `AbortError` at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
