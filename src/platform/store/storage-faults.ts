/** @file Converts browsers' storage errors to `FaultError`s with instructions for the user. */
import { fault, FaultError, isAbort } from '../../core/contract';

/**
 * Whether an error means that the browser has closed the database connection. A new connection may work.
 * Chromium reports "Internal error opening backing store", and WebKit reports "Connection to Indexed Database
 * server lost". Both are `UnknownError`s. Running transactions fail with an `AbortError`. A transaction that
 * starts on a closing connection throws an `InvalidStateError`.
 */
export function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return thrown.name === 'InvalidStateError' || thrown.name === 'UnknownError' || isAbort(thrown);
}

/** Converts any error to a `FaultError`. Returns a `FaultError` unchanged. */
export function storageFault(thrown: unknown): FaultError {
  if (thrown instanceof FaultError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  const detail = (thrown instanceof Error ? `${name}: ${thrown.message}` : String(thrown)).slice(0, 500);
  if (name === 'QuotaExceededError') {
    const message =
      'Podium’s storage in this browser is full. Delete runs you no longer need, or free some disk space, then try again.';
    return new FaultError(fault('storage-full', message, { detail }));
  }
  if (name === 'VersionError') return new FaultError(fault('storage-failed', NEWER_VERSION, { detail }));
  if (name === 'SecurityError') return new FaultError(fault('storage-failed', NO_STORAGE, { detail }));
  const message =
    'Couldn’t read or write this browser’s storage. Reload the page. If that doesn’t help, restart the browser.';
  return new FaultError(fault('storage-failed', message, { detail, retryable: isConnectionLost(thrown) }));
}

const NEWER_VERSION = 'A newer version of Podium is open in this browser. Reload this page to update it.';
const NO_STORAGE =
  'This window doesn’t let Podium store data. Some private windows do this. Open Podium in a normal window, or allow this page to store data.';

export function storageMissing(): FaultError {
  return new FaultError(fault('storage-failed', NO_STORAGE));
}

export function storageBlocked(): FaultError {
  const message = 'An older version of Podium is open in another tab. Close the other tabs, then try again.';
  return new FaultError(fault('storage-failed', message, { retryable: true }));
}
