/** @file Converts file system errors to faults with a message for the user. */
import { fault, FaultError } from '../../core/contract';

/**
 * Returns a `FaultError` unchanged. Other errors become `storage-full` for a full disk, else
 * `storage-failed`.
 */
export function storageFault(path: string, thrown: unknown): FaultError {
  if (thrown instanceof FaultError) return thrown;
  if (hasCode(thrown, 'ENOSPC', 'EDQUOT')) {
    const message = `The disk of ${path} is full. Free some space, then run the command again.`;
    return new FaultError(fault('storage-full', message));
  }
  const message = `Couldn’t use the file ${path}. ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  return new FaultError(fault('storage-failed', message));
}

/** Whether the error has one of these file system codes, such as `ENOENT`. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && codes.includes(thrown.code);
}
