/**
 * @file Limits for reading files. They are far above anything Podium writes, so only a damaged or hostile file exceeds them.
 */
import { fault, FaultError } from '../../core/contract';

const MB = 1024 * 1024;

export interface FileLimits {
  /** Bytes of the file on disk. */
  readonly file: number;
  /** Bytes after decompression. */
  readonly plain: number;
  /** Highest ratio of decompressed to compressed size. */
  readonly ratio: number;
  /** `ratio` applies only after this many decompressed bytes. A small file may have a higher ratio. */
  readonly ratioFrom: number;
  /** Number of lines, including empty lines. */
  readonly lines: number;
  /** Number of unreadable lines after which reading stops. */
  readonly badLines: number;
}

export const FILE_LIMITS: FileLimits = {
  file: 4096 * MB,
  plain: 16_384 * MB,
  // Deflate reaches a ratio of 1000 on zeros. Runs that repeat their prompts stay below 200.
  ratio: 400,
  ratioFrom: 16 * MB,
  lines: 1_000_000,
  badLines: 10_000,
};

/**
 * Maximum length of a line in UTF-16 units. Longer lines are skipped, so that no file can fill the memory. The longest valid
 * lines are programming tasks. Their tests can have 64 Mi characters, and JSON escapes make them longer.
 */
export const LONGEST_LINE = 160 * MB;
/** Maximum number of JSON values in a line. No run has that many. */
export const MOST_LINE_VALUES = 4_000_000;
/** Compressed bytes that are decompressed at a time. Decompressed, they can be a thousand times as large. */
export const UNPACKED_AT_A_TIME = 16 * 1024;

/** The fault (`bad-request`) to throw when reading a file stops early. Content that was already read is kept. */
export function refused(what: string, unread = 'The rest was not read.'): FaultError {
  return new FaultError(fault('bad-request', `${what} ${unread} Choose another file.`));
}

/** Bytes as whole MB or GB, for messages. */
export function sizeWords(bytes: number): string {
  return bytes < 1024 * MB ? `${Math.round(bytes / MB)} MB` : `${Math.round(bytes / MB / 1024)} GB`;
}
