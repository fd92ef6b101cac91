/**
 * @file Errors as data: what went wrong, whether trying again could cure it, and a sentence a person can act on.
 * Faults travel through events, workers and storage, so they are plain objects; never a stack, never a key.
 */

/** A call that was turned away before any work was done, so nobody charges for it. */
export const TURNED_AWAY_CODES = [
  'worker-missing',
  'offline',
  'unreachable',
  'bad-address',
  'unauthorized',
  'payment-required',
  'forbidden',
  'not-found',
  'bad-request',
  'too-large',
  'rate-limited',
  'quota-spent',
  'overloaded',
  'server-error',
] as const;

/** Every code there is. */
export const FAULT_CODES = [
  // a request that cannot start
  'empty-question',
  'no-workers',
  'plan-invalid',
  'plan-failed',
  // what is asked of a saved run
  'run-missing',
  'run-busy',
  'nothing-to-resume',
  'nothing-to-grade',
  // what a worker or an endpoint did
  ...TURNED_AWAY_CODES,
  'timeout',
  'stalled',
  'cut-off',
  'broken-reply',
  'empty-reply',
  'content-filtered',
  'question-unreadable',
  // what the run allows
  'cap-reached',
  'price-unknown',
  // this machine
  'storage-full',
  'storage-failed',
  'interrupted',
  'internal',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** One thing that went wrong. */
export interface Fault {
  readonly code: FaultCode;
  /** One or two plain sentences: who refused what, and what to do. Safe to show, store and export. */
  readonly message: string;
  /** Whether the same call, made again later, could succeed without a person changing anything. */
  readonly retryable: boolean;
  /** How long the other side asked us to wait, in ms, where it said so. */
  readonly retryAfter?: number;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** The other side's own words, redacted and shortened to 500 characters. */
  readonly detail?: string;
}

/** A fault as a throwable, for the places where an exception is the natural way out. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.name = 'FaultError';
    this.fault = fault;
  }
}

/** Makes a fault. `retryable` defaults to false. */
export function fault(code: FaultCode, message: string, more: Partial<Omit<Fault, 'code' | 'message'>> = {}): Fault {
  return { code, message, retryable: false, ...more };
}

/** Reads whatever was thrown as a fault; anything unknown becomes `internal` with its message as the detail. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const detail = (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)).slice(0, 500);
  return fault('internal', 'Something in Podium itself failed. The run so far is kept; try again.', { detail });
}

/** Whether a thrown value is an abort. Aborts are never faults and never retried. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** What the core throws when a signal aborts. */
export function abortError(): Error {
  return new DOMException('The operation was aborted.', 'AbortError');
}
