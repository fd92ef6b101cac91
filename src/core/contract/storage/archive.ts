/**
 * @file Files that runs and everything else leave this browser in, and come back from. What can be said of such a file before
 * and after it is taken in; platform/store reads and writes it.
 */

/** How far something has come that has a known end. */
export type ProgressHeard = (done: number, of: number) => void;

/** A line of a file that was passed over. */
export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  /** Why, in a sentence. */
  readonly message: string;
}

/**
 * What became of things that were taken in. A run that is here already under its id stays as it is if it says the same, or
 * goes on where the file's stops; it goes on as the file's does where that is the longer one; and where the two differ both
 * are kept, the file's under a new id.
 */
export interface TakenIn {
  readonly added: number;
  /** There already, as it stands in the file or further on. */
  readonly present: number;
  /** There already, without an image that the file brought back. */
  readonly mended: number;
  /** There already, and brought to where the file is. */
  readonly updated: number;
  /** There already and different: added beside it under a new id. */
  readonly copied: number;
  /** There already and different: left as it is here. */
  readonly kept: number;
  /** At work, here or in another tab, so left alone. */
  readonly busy: number;
  /** Taken out because the file does not hold it; only where a backup replaces everything. */
  readonly removed: number;
}

export const NOTHING_TAKEN_IN: TakenIn = {
  added: 0,
  present: 0,
  mended: 0,
  updated: 0,
  copied: 0,
  kept: 0,
  busy: 0,
  removed: 0,
};

/** How far an import of runs has come. The numbers count from its start. */
export interface ImportProgress {
  /** Bytes read and bytes in all. */
  readonly read: number;
  readonly of: number;
  readonly lines: number;
  readonly runs: TakenIn;
  /** Those found since the progress before. */
  readonly problems: readonly LineProblem[];
}

/** One kind of thing in a backup. */
export interface BackupPart {
  readonly name: string;
  /** For sentences: `run`, `runs`. */
  readonly one: string;
  readonly many: string;
  /** How many the backup was to hold. */
  readonly promised: number;
  /** How many of them can be read. */
  readonly whole: number;
}

/** What stands in a backup, told before anything of it is taken in. */
export interface BackupContents {
  /** When it was made, ms since the epoch. */
  readonly madeAt: number;
  /** The version of Podium that made it. */
  readonly app: string;
  readonly parts: readonly BackupPart[];
  /** What cannot be restored and why, in sentences; empty for a sound file. */
  readonly damage: readonly string[];
}

/** `merge`: what is here stays, what is missing comes. `replace`: afterwards there is what the backup holds, and nothing else. */
export type RestoreMode = 'merge' | 'replace';

export interface RestoreOptions {
  readonly mode: RestoreMode;
  /** The user says that the backup is their own. Otherwise its runs are marked as imported, so that their grades do not count. */
  readonly isOwn: boolean;
}

export interface RestoredPart {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly taken: TakenIn;
}

export interface RestoreProgress {
  readonly read: number;
  readonly of: number;
  readonly parts: readonly RestoredPart[];
  /** All found so far, in sentences. */
  readonly damage: readonly string[];
}

export interface BackupOptions {
  /** With the vault as it lies here, encrypted under its passphrase. Keys in memory are never in it. */
  readonly keys: boolean;
  readonly signal: AbortSignal;
  readonly heard?: ProgressHeard;
  /** Told of each run that cannot be read and is left out, in a sentence. */
  readonly leftOut?: (message: string) => void;
}

export interface RunFileOptions {
  /** `null`: all, newest first. */
  readonly ids: readonly string[] | null;
  readonly compress: boolean;
  readonly signal: AbortSignal;
  /** Told after each run that was written how many were. */
  readonly heard?: ProgressHeard;
  readonly leftOut?: (message: string) => void;
}

/** A run and the room it takes on disk. */
export interface RunSize {
  readonly id: string;
  readonly question: string;
  readonly startedAt: number;
  /** As text, in bytes; an estimate. */
  readonly bytes: number;
}
