/** @file The clock interface. Code receives a clock as a parameter, so that tests do not wait in real time. */
export interface Clock {
  /** Wall clock, ms since the epoch. */
  now(): number;
  /** Monotonic time in ms, counted from an arbitrary moment. */
  monotonic(): number;
  /** Resolves after `ms`. Rejects with an `AbortError` as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
