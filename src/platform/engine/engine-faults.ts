/** @file Faults of local models, with messages that the user can act on. */
import { fault, FaultError, thrownWords, type Fault } from '../../core/contract';

/** The names that messages use. */
export interface Named {
  /** The model, as the user knows it. */
  readonly label: string;
  /** The hub's host name. `null` for a folder on this machine. */
  readonly host: string | null;
}

/** The statuses for models that need an account. A hub answers 401 for missing models, too. */
const CLOSED_STATUSES = [401, 403];

/** The fault if the server answers a request for a file with this HTTP status. Callers handle 404 themselves. */
export function statusFault(status: number, { label, host }: Named): Fault {
  if (CLOSED_STATUSES.includes(status)) {
    const message = `${host} has no model ${label}, or the model needs an account. Check the name, or download the model yourself and open its folder here.`;
    return fault('forbidden', message, { status });
  }
  if (status === 429) {
    const message = `${host} received too many requests. Wait a moment, then load ${label} again. The download resumes where it stopped.`;
    return fault('rate-limited', message, { status, retryable: true });
  }
  const message = `Couldn’t download ${label} from ${host} (${status}). Try again. The download resumes where it stopped.`;
  return fault('server-error', message, { status, retryable: true });
}

/** The fault of a failed connection. The browser gives no reason for the failure. */
export function networkFault(isOnline: boolean, thrown: unknown, { label, host }: Named): Fault {
  const detail = wordsOf(thrown);
  if (!isOnline) {
    const message = `This device is offline, and ${label} isn’t completely downloaded. Reconnect, then load it again. The download resumes where it stopped.`;
    return fault('offline', message, { retryable: true, detail });
  }
  const message = `The download of ${label} from ${host} was interrupted. Check the connection, then load it again. The download resumes where it stopped.`;
  return fault('unreachable', message, { retryable: true, detail });
}

/**
 * The fault of a server that responds without CORS headers. Without them, the browser does not let the page read the response.
 * @param page the page's origin
 */
export function corsFault({ label }: Named, server: URL, page: string): Fault {
  const message = `${server.host} doesn’t let this page read its files (CORS). Set the header “Access-Control-Allow-Origin: ${page}” on ${server.host}, then load ${label} again.`;
  return fault('forbidden', message);
}

export function quotaFault({ label }: Named): Fault {
  const message = `There isn’t enough storage for ${label}. Delete a model on Models or free some disk space, then load it again. The download resumes where it stopped.`;
  return fault('storage-full', message);
}

export function memoryFault({ label }: Named, detail: string): Fault {
  const message = `${label} needs more memory than this device has available. Close other tabs, or choose a smaller model.`;
  return fault('too-large', message, { detail });
}

export function promptFault({ label }: Named, tokens: number, context: number): Fault {
  const message = `The prompt has ${tokens} tokens, but ${label} reads at most ${context}. Shorten it, or choose a model with a larger context.`;
  return fault('too-large', message);
}

/** The fault of a model whose Web Worker crashed. */
export function crashFault({ label }: Named, detail: string): Fault {
  if (isMemory(detail)) return memoryFault({ label, host: null }, detail);
  const message = `${label} crashed. Try again. The model is reloaded from this device.`;
  return fault('interrupted', message, { retryable: true, detail: shorten(detail) });
}

export function stalledFault({ label }: Named, seconds: number): Fault {
  const message = `${label} didn’t respond for ${seconds} seconds and was stopped. Try again. The model is reloaded from this device.`;
  return fault('stalled', message, { retryable: true });
}

/** The fault of an answer that took too long, although the model kept writing. Another try would take as long. */
export function lateFault({ label }: Named, minutes: number): Fault {
  const message = `${label} was stopped, because its answer took more than ${minutes} minutes. Lower Max output tokens in Settings, or choose a faster model.`;
  return fault('timeout', message);
}

export function stalledDownload({ label }: Named, seconds: number): Fault {
  const message = `The download of ${label} stalled for ${seconds} seconds. Check the connection, then load it again. The download resumes where it stopped.`;
  return fault('stalled', message, { retryable: true });
}

export function deviceLostFault({ label }: Named, detail: string): Fault {
  const message = `${label} lost access to the GPU. Try again. The model is reloaded from this device.`;
  return fault('interrupted', message, { retryable: true, detail: shorten(detail) });
}

/**
 * The fault of a model whose scores for the next token are not numbers. 16-bit numbers overflow in some models, such as Qwen2.5, on
 * some GPUs. Another try would fail too.
 */
export function nanFault({ label }: Named, detail: string): Fault {
  const message = `${label} computed scores that are not numbers (NaN). If this is a 16-bit build (q4f16_1), its numbers overflow on this GPU. Choose its q4f32_1 build, or another model.`;
  return fault('internal', message, { detail: shorten(detail) });
}

/**
 * Converts an error to a fault. The engine threw the error while it loaded the model or generated text.
 * @param printed what the engine printed before it threw
 */
export function engineFault(thrown: unknown, named: Named, printed = ''): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const words = [printed, thrownWords(thrown)].filter((each) => each !== '').join('\n');
  if (isQuota(thrown)) return quotaFault(named);
  if (isMemory(words)) return memoryFault(named, words);
  if (/device (is|was) lost|lost device|device lost/i.test(words)) return deviceLostFault(named, words);
  if (/\bNaN\b/i.test(words)) return nanFault(named, words);
  const message = `Couldn’t run ${named.label}. Try again, or choose another model. The engine’s error is below.`;
  return fault('internal', message, { retryable: true, detail: shorten(words) });
}

export function isQuota(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError';
}

function isMemory(words: string): boolean {
  return /out of memory|bad_alloc|allocation failed|failed to allocate|could not allocate|cannot enlarge memory|invalid typed array length/i.test(
    words,
  );
}

function wordsOf(thrown: unknown): string {
  return shorten(thrownWords(thrown));
}

function shorten(words: string): string {
  return words.slice(0, 500);
}
