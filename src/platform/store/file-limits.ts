/**
 * @file How much of a file is read. Far above anything Podium writes, so that only a damaged or hostile file meets a limit.
 */
import { fault, FaultError } from '../../core/contract';

const MB = 1024 * 1024;

export interface FileLimits {
  /** Bytes of the file as it lies on disk. */
  readonly file: number;
  /** Bytes after decompression. */
  readonly plain: number;
  /** How many times its size a compressed file may grow. Looked at from `ratioFrom` bytes on: small files compress freely. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Lines, empty ones included. */
  readonly lines: number;
  /** Lines that cannot be read before the rest is not tried. */
  readonly badLines: number;
}

export const FILE_LIMITS: FileLimits = {
  file: 4096 * MB,
  plain: 16_384 * MB,
  // Deflate reaches 1000 on zeros. Runs that repeat their prompts stay below 200.
  ratio: 400,
  ratioFrom: 16 * MB,
  lines: 1_000_000,
  badLines: 10_000,
};

/** Longer than any run; a line beyond it is passed over, so that no file can fill the memory. UTF-16 units. */
export const LONGEST_LINE = 64 * MB;
/** Values in one line: more than a run of the most events has. */
export const MOST_LINE_VALUES = 4_000_000;
/** Compressed bytes that are unpacked at a time: a thousand times as much is what memory may have to hold. */
export const UNPACKED_AT_A_TIME = 16 * 1024;

/** The file is not read any further. What was read before stays. */
export function refused(what: string): FaultError {
  return new FaultError(fault('bad-request', `${what} Nothing after that was read. Choose another file.`));
}

/** Bytes as whole MB or GB, for sentences. */
export function sizeWords(bytes: number): string {
  return bytes < 1024 * MB ? `${Math.round(bytes / MB)} MB` : `${Math.round(bytes / MB / 1024)} GB`;
}
