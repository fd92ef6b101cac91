/** @file How much of the browser's storage Podium uses, and which data the browser has deleted. */

export interface StorageEstimate {
  /** Bytes used by all of Podium's data, including downloaded models. */
  readonly used: number;
  /** Maximum bytes that the browser allows. */
  readonly quota: number;
  /** Whether the browser keeps the data until the user deletes it, even when disk space is low. */
  readonly persisted: boolean;
}

/** Estimated bytes by kind of data. */
export interface StorageUse {
  /** Runs, datasets, batches, workers, settings, and the vectors of questions. */
  readonly runs: number;
  readonly models: number;
  /** The page's own files, cached for offline use. */
  readonly app: number;
}

/** Stored runs that are missing although the user did not delete them. */
export interface LostRuns {
  /** Number of missing runs. */
  readonly runs: number;
  /** When the missing runs were last counted, ms since the epoch. */
  readonly at: number;
}
