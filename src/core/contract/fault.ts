/**
 * @file Errors as data: what went wrong, whether a retry could help, and a message that the user can act on. Faults
 * travel through events, Web Workers and storage, so they are plain objects without stack traces or keys.
 */

/** Calls that fail with these codes are not charged, because they were rejected before any work was done. */
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

export const FAULT_CODES = [
  // requests that cannot start
  'empty-question',
  'no-workers',
  'plan-invalid',
  'plan-failed',
  // operations on a saved run
  'run-missing',
  'run-busy',
  'nothing-to-resume',
  'nothing-to-grade',
  // tasks of an evaluation
  'not-gradable',
  // failures of a worker or its server
  ...TURNED_AWAY_CODES,
  'timeout',
  'stalled',
  'cut-off',
  'broken-reply',
  'empty-reply',
  'content-filtered',
  'question-unreadable',
  // limits of the run
  'cap-reached',
  'price-unknown',
  // failures of this machine
  'storage-full',
  'storage-failed',
  'interrupted',
  'internal',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

export interface Fault {
  readonly code: FaultCode;
  /** One or two plain sentences: what failed, and what to do. Safe to show, store and export. */
  readonly message: string;
  /** Whether the same call could succeed later without any change by the user. */
  readonly retryable: boolean;
  /** The delay that the server requested, in ms. Absent: no delay was requested. */
  readonly retryAfter?: number;
  /** The HTTP status. */
  readonly status?: number;
  /** The original message of the server or of a thrown error, at most 500 characters. Messages of servers are redacted. */
  readonly detail?: string;
}

/** A fault as an exception, for code that throws. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.name = 'FaultError';
    this.fault = fault;
  }
}

/** Creates a fault. `retryable` defaults to false. */
export function fault(code: FaultCode, message: string, more: Partial<Omit<Fault, 'code' | 'message'>> = {}): Fault {
  return { code, message, retryable: false, ...more };
}

/** The fault of a thrown `FaultError`. Any other value becomes `internal`, with its message as the detail. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const detail = thrownWords(thrown).slice(0, 500);
  return fault('internal', 'Podium had an internal error. The run so far is saved. Try again.', { detail });
}

/**
 * The words of a thrown value, with its name. Not every thrown value is an `Error`: a WebAssembly library throws plain objects and
 * numbers.
 */
export function thrownWords(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const own: { readonly name?: unknown; readonly message?: unknown } = thrown;
  const name = typeof own.name === 'string' && own.name !== '' ? own.name : thrown.constructor?.name;
  if (typeof own.message === 'string' && own.message !== '') return `${name ?? 'Error'}: ${own.message}`;
  const values = Object.entries(thrown).filter(([key, value]) => key !== 'name' && typeof value !== 'object');
  return [name ?? 'Object', ...values.map(([key, value]) => `${key} ${String(value)}`)].join(', ');
}

/** Whether a thrown value is an abort. Aborts are never faults and never retried. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** The error that the core throws when a signal aborts. */
export function abortError(): Error {
  return new DOMException('The operation was aborted.', 'AbortError');
}
