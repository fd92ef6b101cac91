/**
 * @file The stored form of the index of runs, and the list of runs that are not indexed yet. The index makes
 * runs searchable. `platform/store` implements these interfaces with IndexedDB.
 *
 * The index has an entry for each run. New entries are stored singly, in the tail. From time to time, many
 * entries are moved from the tail into a chunk. A chunk is one record with one row per moved entry. If a run
 * in a chunk changes, it gets a new entry in the tail, and its old row is marked as outdated.
 *
 * Stored heads, chunks and entries have the type `unknown` here, because `core/analysis/run-index` writes and
 * validates them.
 */
import type { RunSummary } from '../run/summary';

/** A run that was written or deleted since it was last indexed. */
export interface Unindexed {
  readonly id: string;
  /**
   * Changes whenever the run starts, ends or is changed after its end. If the mark changes while the run is being
   * indexed, the run must be indexed again.
   */
  readonly mark: number;
}

/** The head of an index, which describes the whole index. */
export interface IndexHead {
  /** Version of the code that wrote the index. */
  readonly version: number;
  /** Random id, drawn when the index is created. A write with another `epoch` has no effect. */
  readonly epoch: string;
  /**
   * Progress of indexing the runs that were stored before the index was created. These runs are read in pages. `after` is the
   * token of the next page, or `null` for the first page. `backfill` is `null` once all of these runs are indexed.
   */
  readonly backfill: { readonly after: string | null } | null;
}

/** Receives the stored index, part by part. */
export interface IndexReader {
  /** Receives the head, before everything else. @param head `null`: there is no index @returns whether to continue reading */
  head(head: unknown): boolean;
  /** Receives a chunk. @param dead marks the outdated rows. `null`: no row is outdated */
  chunk(number: number, value: unknown, dead: unknown): void;
  /** Receives the entries that are not in a chunk yet, after all chunks. */
  tail(entries: readonly unknown[]): void;
}

/** A change of the index. It is written completely or not at all. */
export interface IndexChange {
  readonly epoch: string;
  /**
   * The indexed runs.
   * - `mark`: the `Unindexed.mark` to remove. A mark that has changed in the meantime stays. `null`: removes no mark
   * - `entry`: the run's entry, or `null` if the run was deleted
   */
  readonly entries: readonly { readonly id: string; readonly mark: number | null; readonly entry: unknown }[];
  /**
   * The chunks in which rows have become outdated. `marks` has a byte for each row of the chunk: 1 if the row is
   * outdated, else 0.
   */
  readonly dead: readonly { readonly chunk: number; readonly marks: Uint8Array<ArrayBuffer> }[];
  /** The new `backfill` of the head. Absent: the head stays unchanged. */
  readonly backfill?: IndexHead['backfill'];
}

/** Moves entries from the tail into a chunk, or replaces a chunk. */
export interface IndexSeal {
  readonly epoch: string;
  readonly chunk: number;
  readonly value: unknown;
  /** The runs whose entries are moved. */
  readonly ids: readonly string[];
  /** Marks the outdated rows. `null`: no row is outdated. */
  readonly dead: Uint8Array<ArrayBuffer> | null;
  /** The texts of the chunk's runs, in blocks. */
  readonly texts: readonly (readonly string[])[];
}

/** If a method fails, it rejects with a `FaultError` (`storage-full`, `storage-failed`). */
export interface IndexRecords {
  read(reader: IndexReader): Promise<void>;
  /** Deletes the index and creates a new index. */
  begin(head: IndexHead): Promise<void>;
  /**
   * At most `most` unindexed runs in the order of their ids, after the given id. A run in progress stays unindexed until it has
   * ended.
   */
  unindexed(after: string | null, most: number): Promise<readonly Unindexed[]>;
  /** Writes a change. @returns `false` if the index has been replaced. Then nothing is written */
  commit(change: IndexChange): Promise<boolean>;
  /** Writes a chunk. @returns the same as `commit` */
  seal(seal: IndexSeal): Promise<boolean>;
  /** Deletes a chunk and marks its runs as not indexed. @returns the same as `commit` */
  drop(epoch: string, chunk: number, ids: readonly string[]): Promise<boolean>;
  /** The entries of these runs in the tail. `undefined` for a run that is not in the tail. */
  entries(ids: readonly string[]): Promise<readonly unknown[]>;
  /** These blocks of a chunk's texts. `undefined` for a block that is missing. */
  texts(chunk: number, blocks: readonly number[]): Promise<readonly unknown[]>;
  /** Summaries of these runs, in order. Runs that have been deleted are left out. */
  summaries(places: readonly { readonly id: string; readonly startedAt: number }[]): Promise<readonly RunSummary[]>;
}

/** Tells the other tabs which runs this tab has indexed. */
export interface IndexNotices {
  /** @param ids `null`: the whole index may have changed */
  notify(ids: readonly string[] | null): void;
  /** @returns a function that unsubscribes */
  listen(listener: (ids: readonly string[] | null) => void): () => void;
}
