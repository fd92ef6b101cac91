/**
 * @file Types for exporting and importing runs, and for making and restoring backups. platform/store reads and writes the files.
 */

/** Receives the amount of work that is done, and the total amount. The unit depends on the kind of work. */
export type ProgressListener = (done: number, of: number) => void;

/** A skipped line of a file. */
export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  /** The reason, in a sentence. */
  readonly message: string;
}

/**
 * Counts of imported items by outcome. If a run with the same id is already stored, both runs are compared:
 * - If the runs are equal, or if only the stored run has later events, the stored run stays unchanged.
 * - If only the file's run has later events, the stored run is updated.
 * - If the runs differ in any other way, both are kept, and the file's run gets a new id.
 */
export interface ImportCounts {
  readonly added: number;
  /** Already stored. The stored item equals the file's item, or has later events. */
  readonly present: number;
  /** Already stored. Images that were missing here were restored from the file. */
  readonly repaired: number;
  /** Already stored, and updated from the file. */
  readonly updated: number;
  /** Already stored with other content. The file's item was added as a copy under a new id. */
  readonly copied: number;
  /** Already stored with other content. The stored item was left unchanged. */
  readonly kept: number;
  /** Skipped, because the item is in use here or in another tab. */
  readonly busy: number;
  /**
   * Deleted, because the file does not contain the item. Only when a backup is restored in the mode
   * `replace`.
   */
  readonly removed: number;
}

export const NOTHING_IMPORTED: ImportCounts = {
  added: 0,
  present: 0,
  repaired: 0,
  updated: 0,
  copied: 0,
  kept: 0,
  busy: 0,
  removed: 0,
};

/** Progress of an import of runs. */
export interface ImportProgress {
  /** Bytes read so far. */
  readonly read: number;
  /** Size of the file in bytes. */
  readonly of: number;
  /** Lines read so far. */
  readonly lines: number;
  /** Counts since the start of the import. */
  readonly runs: ImportCounts;
  /** Problems found since the previous report. */
  readonly problems: readonly LineProblem[];
}

/** One kind of item in a backup. */
export interface BackupPart {
  readonly name: string;
  /** The words for one item and for several items, such as `run` and `runs`. */
  readonly one: string;
  readonly many: string;
  /** Number of items that the backup should contain. */
  readonly promised: number;
  /** Number of readable items. */
  readonly whole: number;
}

/** The contents of a backup, shown before it is restored. */
export interface BackupContents {
  /** Ms since the epoch. */
  readonly madeAt: number;
  /** The version of Podium that wrote the backup. */
  readonly app: string;
  readonly parts: readonly BackupPart[];
  /** Sentences about the parts that cannot be restored, with the reasons. Empty for an intact file. */
  readonly damage: readonly string[];
}

/**
 * `merge`: keeps stored data and adds missing data. `replace`: also replaces stored data that differs, and deletes stored data
 * that the backup lacks. Recorded spending and confidential data are always kept. The stored vault of API keys is replaced only
 * in the mode `replace`, and only if the backup contains another vault.
 */
export type RestoreMode = 'merge' | 'replace';

export interface RestoreOptions {
  readonly mode: RestoreMode;
  /**
   * Whether the user confirms that the backup is their own. Otherwise its runs are marked as imported, so that their grades count
   * only if the user allows imported grades.
   */
  readonly isOwn: boolean;
}

export interface RestoredPart {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly counts: ImportCounts;
}

export interface RestoreProgress {
  /** Bytes read so far. */
  readonly read: number;
  /** Size of the file in bytes. */
  readonly of: number;
  readonly parts: readonly RestoredPart[];
  /** All damage found so far, in sentences. */
  readonly damage: readonly string[];
}

export interface BackupOptions {
  /**
   * Whether to include the stored vault, which holds API keys encrypted under a passphrase. Keys that are
   * only in memory are never included.
   */
  readonly keys: boolean;
  readonly signal: AbortSignal;
  readonly onprogress?: ProgressListener;
  /** Receives messages about data that the backup leaves out, because it can't be read or is confidential. */
  readonly leftOut?: (message: string) => void;
}

export interface RunFileOptions {
  /** Ids of the runs to export. `null`: all runs, newest first. */
  readonly ids: readonly string[] | null;
  readonly compress: boolean;
  readonly signal: AbortSignal;
  /** Called after each run, with the number of written runs and the number of all runs to write. */
  readonly onprogress?: ProgressListener;
  /** Receives messages about runs that the file leaves out, because they can't be read or are confidential. */
  readonly leftOut?: (message: string) => void;
}

/** A run and its size. */
export interface RunSize {
  readonly id: string;
  readonly question: string;
  readonly startedAt: number;
  /** Estimated size of the run's text on disk, in bytes. */
  readonly bytes: number;
}
