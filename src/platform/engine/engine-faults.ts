/** @file What can go wrong with any model on this machine, in words a person can act on. */
import { fault, FaultError, toFault, type Fault } from '../../core/contract';

/** What the sentences name. */
export interface Named {
  /** The model, as the user knows it. */
  readonly label: string;
  /** The hub's host name; `null` for a folder on this machine. */
  readonly host: string | null;
}

/** A hub says 401 to what is not there and to what needs an account alike. */
const CLOSED_STATUSES = [401, 403];

/** What a server answered in place of a file; who lacks a file says what a 404 means. */
export function statusFault(status: number, { label, host }: Named): Fault {
  if (CLOSED_STATUSES.includes(status)) {
    const message = `${host} shows ${label} to no one without an account, or there is no such model. Check its name, or download it yourself and open its folder here.`;
    return fault('forbidden', message, { status });
  }
  if (status === 429) {
    const message = `${host} is being asked too often. Wait a moment, then load ${label} again: it goes on where it stopped.`;
    return fault('rate-limited', message, { status, retryable: true });
  }
  const message = `${host} could not send ${label} (${status}). Try again: it goes on where it stopped.`;
  return fault('server-error', message, { status, retryable: true });
}

/** The browser tells nothing about a connection that failed. */
export function networkFault(isOnline: boolean, thrown: unknown, { label, host }: Named): Fault {
  const detail = wordsOf(thrown);
  if (!isOnline) {
    const message = `This device is offline, and ${label} is not wholly here yet. Reconnect, then load it again: it goes on where it stopped.`;
    return fault('offline', message, { retryable: true, detail });
  }
  const message = `The download of ${label} from ${host} broke off. Check the connection, then load it again: it goes on where it stopped.`;
  return fault('unreachable', message, { retryable: true, detail });
}

export function quotaFault({ label }: Named): Fault {
  const message = `The browser has no room left for ${label}. Delete a model on Models or free some disk space, then load it again: it goes on where it stopped.`;
  return fault('storage-full', message);
}

export function memoryFault({ label }: Named, detail: string): Fault {
  const message = `${label} needs more memory than this device has to give. Close other tabs, or choose a smaller model.`;
  return fault('too-large', message, { detail });
}

export function promptFault({ label }: Named, tokens: number, context: number): Fault {
  const message = `The prompt has ${tokens} tokens, but ${label} reads at most ${context}. Shorten it, or choose a model with a larger context.`;
  return fault('too-large', message);
}

/** The worker itself failed. */
export function crashFault({ label }: Named, detail: string): Fault {
  if (isMemory(detail)) return memoryFault({ label, host: null }, detail);
  const message = `${label} stopped all of a sudden. Try again: it is loaded anew from this device.`;
  return fault('interrupted', message, { retryable: true, detail: shorten(detail) });
}

/** What a call is told that was under way when its model was let go. */
export function unloadedFault({ label }: Pick<Named, 'label'>): Fault {
  return fault('interrupted', `${label} was unloaded while it was asked. Load it on Models and try again.`);
}

export function stalledFault({ label }: Named, seconds: number): Fault {
  const message = `${label} has not answered for ${seconds} seconds and was stopped. Try again: it is loaded anew from this device.`;
  return fault('stalled', message, { retryable: true });
}

export function stalledDownload({ label }: Named, seconds: number): Fault {
  const message = `Nothing of ${label} has arrived for ${seconds} seconds. Check the connection, then load it again: it goes on where it stopped.`;
  return fault('stalled', message, { retryable: true });
}

export function deviceLostFault({ label }: Named, detail: string): Fault {
  const message = `The browser took the GPU away from ${label}. Try again: it is loaded anew from this device.`;
  return fault('interrupted', message, { retryable: true, detail: shorten(detail) });
}

/** Whatever the engine threw while it was loading or writing. */
export function engineFault(thrown: unknown, named: Named): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const words = wordsOf(thrown);
  if (isQuota(thrown)) return quotaFault(named);
  if (isMemory(words)) return memoryFault(named, words);
  if (/device (is|was) lost|lost device|device lost/i.test(words)) return deviceLostFault(named, words);
  const { code, detail } = toFault(thrown);
  const message = `${named.label} could not be run. What the engine said stands below; try again, or choose another model.`;
  return fault(code, message, { retryable: true, ...(detail === undefined ? {} : { detail }) });
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
  return shorten(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown));
}

function shorten(words: string): string {
  return words.slice(0, 500);
}
