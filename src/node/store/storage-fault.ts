/** @file Converts file system errors to faults with a message for the user. */
import { fault, FaultError } from '../../core/contract';
import { UsageError } from '../exit-codes';

/**
 * Returns a `FaultError` or `UsageError` unchanged. Other errors become `storage-full` for a full disk, else
 * `storage-failed`.
 */
export function storageFault(path: string, thrown: unknown): FaultError | UsageError {
  if (thrown instanceof FaultError || thrown instanceof UsageError) return thrown;
  if (hasCode(thrown, 'ENOSPC', 'EDQUOT')) {
    const message = `The disk of ${path} is full. Free some space, then run the command again.`;
    return new FaultError(fault('storage-full', message));
  }
  return new FaultError(fault('storage-failed', `Couldn’t use the file ${path}. ${fileWords(thrown)}`));
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'You don’t have the permission.',
  EPERM: 'The system does not permit it.',
  EISDIR: 'It is a folder.',
  ENOTDIR: 'A part of its path is not a folder.',
  ELOOP: 'It is a link.',
  EROFS: 'Its disk can only be read.',
  ENAMETOOLONG: 'Its name is too long.',
  EMFILE: 'Too many files are open.',
  ENXIO: 'It is not a regular file.',
};

/** Describes an error of the file system in a sentence. */
export function fileWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return WORDS[code] ?? thrown.message;
}

/** Whether the error has one of these file system codes, such as `ENOENT`. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && codes.includes(thrown.code);
}
