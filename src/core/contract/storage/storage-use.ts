/** @file How much of the browser's storage Podium uses, and what the browser has deleted. */

export interface StorageEstimate {
  /** Bytes in use by everything Podium stores, downloaded models included. */
  readonly used: number;
  /** Bytes the browser allows. */
  readonly quota: number;
  /** Whether the browser keeps the data until the user deletes it, even when the disk runs low. */
  readonly persisted: boolean;
}

/** Estimated bytes by kind of data. */
export interface StorageUse {
  /** Runs, workers, settings, and the vectors of questions. */
  readonly runs: number;
  readonly models: number;
  /** The page's own files, kept for offline use. */
  readonly app: number;
}

/** Runs that were stored and are missing, though nobody deleted them. */
export interface LostRuns {
  readonly runs: number;
  /** When they were last seen, ms since the epoch. */
  readonly at: number;
}
