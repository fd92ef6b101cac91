/**
 * @file What a browser's storage throws, in words a person can act on.
 */
import { fault, FaultError, isAbort } from '../../core/contract';

/**
 * Whether the browser has dropped the connection, so that a new one may do. Chromium says "Internal error opening backing
 * store", WebKit "Connection to Indexed Database server lost" (both `UnknownError`); a transaction that was under way is
 * aborted, and one that is begun on a closing connection is an `InvalidStateError`.
 */
export function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return thrown.name === 'InvalidStateError' || thrown.name === 'UnknownError' || isAbort(thrown);
}

/** Reads whatever storage threw as a `FaultError`. */
export function storageFault(thrown: unknown): FaultError {
  if (thrown instanceof FaultError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  const detail = (thrown instanceof Error ? `${name}: ${thrown.message}` : String(thrown)).slice(0, 500);
  if (name === 'QuotaExceededError') {
    const message =
      'The disk space that this browser gives to Podium is full. Delete runs you no longer need, or free some disk space, then try again.';
    return new FaultError(fault('storage-full', message, { detail }));
  }
  if (name === 'VersionError') return new FaultError(fault('storage-failed', NEWER_VERSION, { detail }));
  if (name === 'SecurityError') return new FaultError(fault('storage-failed', NO_STORAGE, { detail }));
  const message =
    'This browser could not read or write its storage. Reload the page; if that does not help, restart the browser.';
  return new FaultError(fault('storage-failed', message, { detail, retryable: isConnectionLost(thrown) }));
}

const NEWER_VERSION = 'A newer version of Podium has been opened in this browser. Reload this page to get it.';
const NO_STORAGE =
  'This window may not keep anything: its storage is switched off, as in some private windows. Open Podium in an ordinary window, or allow it to store data.';

export function storageMissing(): FaultError {
  return new FaultError(fault('storage-failed', NO_STORAGE));
}

export function storageBlocked(): FaultError {
  const message = 'Another tab holds an older version of Podium open. Close the other tabs, then try again.';
  return new FaultError(fault('storage-failed', message, { retryable: true }));
}
