/**
 * @file Loads the HTTP client with the first call: who uses simulated workers only never downloads it.
 */
import { fault, FaultError } from '../../core/contract';
import type * as Sdk from './sdk';

let loading: Promise<typeof Sdk> | null = null;

/** Rejects with a `FaultError` if the browser could not get it; the next call tries again. */
export async function loadSdk(): Promise<typeof Sdk> {
  loading ??= import('./sdk');
  try {
    return await loading;
  } catch (thrown) {
    loading = null;
    const message = 'A part of Podium could not be loaded. Check the connection and reload the page.';
    throw new FaultError(fault('internal', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
  }
}
