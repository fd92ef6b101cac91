/** @file The errors that the server sends in the format of the OpenAI API, and the HTTP status for each fault. */
import { toFault, type Fault, type FaultCode } from '../../../core/contract';
import { faultText } from '../../fault-text';

interface ErrorDetails {
  /** A machine-readable code. Default: the error type of the status. */
  readonly code?: string;
  /** The field of the body that is wrong. */
  readonly param?: string;
  /** Seconds after which a retry may help. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  get headers(): Readonly<Record<string, string>> {
    const { retryAfter, headers } = this.details;
    return { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }) };
  }

  /** The body that clients of the API expect. */
  get body() {
    const type = typeOf(this.status);
    return {
      error: { message: this.message, type, param: this.details.param ?? null, code: this.details.code ?? type },
    };
  }
}

function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'insufficient_quota';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status < 500 ? 'invalid_request_error' : 'server_error';
  }
}

/** Default of the `retry-after` header, in seconds, if the fault has no `retryAfter`. */
const WORKER_PAUSE = 5;

function statusOf(code: FaultCode): number {
  switch (code) {
    case 'empty-question':
    case 'no-workers':
    case 'too-large':
    case 'content-filtered':
    case 'question-unreadable':
    case 'not-gradable':
    case 'nothing-to-grade':
      return 400;
    case 'cap-reached':
    case 'price-unknown':
      return 402;
    case 'offline':
    case 'unreachable':
    case 'rate-limited':
    case 'quota-spent':
    case 'overloaded':
    case 'interrupted':
      return 503;
    case 'timeout':
    case 'stalled':
      return 504;
    // These are faults of workers, of the plan or of settings. The client of this server can't change any of them.
    case 'plan-invalid':
    case 'plan-failed':
    case 'worker-missing':
    case 'bad-address':
    case 'unauthorized':
    case 'payment-required':
    case 'forbidden':
    case 'not-found':
    case 'bad-request':
    case 'server-error':
    case 'cut-off':
    case 'broken-reply':
    case 'empty-reply':
      return 502;
    case 'run-missing':
    case 'run-busy':
    case 'nothing-to-resume':
    case 'storage-full':
    case 'storage-failed':
    case 'internal':
      return 500;
    default:
      return code satisfies never;
  }
}

/** Prevents OpenAI's client libraries from retrying a request automatically. */
export const DO_NOT_RETRY = { 'x-should-retry': 'false' };

/** The error for a fault of a run. @param isPaid whether calls of the run were paid for, so that a retry would pay again */
export function errorOfFault(found: Fault, isPaid = false): ApiError {
  const { code, retryAfter } = found;
  const status = statusOf(code);
  const pause = retryAfter === undefined ? WORKER_PAUSE : Math.max(1, retryAfter / 1000);
  return new ApiError(status, faultText(found), {
    code: nameOf(code),
    ...(status === 503 ? { retryAfter: pause } : {}),
    ...(isPaid || status === 502 || status === 504 ? { headers: DO_NOT_RETRY } : {}),
  });
}

/** Some faults get the code that clients of the OpenAI API expect. */
function nameOf(code: FaultCode): string {
  if (code === 'too-large') return 'context_length_exceeded';
  if (code === 'content-filtered') return 'content_filter';
  return code.replaceAll('-', '_');
}

/** Turns any thrown value into an error of the API. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : errorOfFault(toFault(thrown));
}
