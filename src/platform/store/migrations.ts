/**
 * @file What the database holds, and how it came to be so. One migration a version, numbered by its place and without
 * gaps: append to the list, never change what stands in it.
 */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { RunSummary } from '../../core/contract';

export interface PodiumSchema extends DBSchema {
  /**
   * Events, in arrays: one record for many is five times as fast as one for each. Keyed by the run and the place of the
   * first event, so that a run is one range. What is read here goes through the schema.
   */
  chunks: { key: [runId: string, first: number]; value: readonly unknown[] };
  /** Keyed by the negated start, so that the newest come first by plain ranges, without a cursor. */
  summaries: {
    key: [negatedStart: number, runId: string];
    value: RunSummary;
    indexes: { id: string; status: string };
  };
  /** Long texts that many runs share, by their SHA-256. */
  blobs: { key: string; value: string };
  /** Images of questions by their SHA-256, with the runs that refer to them: see `images.ts`. */
  images: { key: string; value: StoredImage; indexes: { runs: string } };
  /** `runs`: how many there are, since counting a large store takes long. */
  counts: { key: 'runs'; value: number };
  setups: { key: string; value: unknown };
  preferences: { key: 'preferences'; value: unknown };
  /** Manifests of the user's own models, by id. */
  models: { key: string; value: unknown };
  /** What the calls of a worker came to on a day, and money set aside for calls under way: see `spending.ts`. */
  spending: { key: [day: string, workerId: string]; value: unknown };
  holds: { key: string; value: unknown };
  /** Handles of folders that the user picked, by the id of the model they hold; older ones by the folder's name. */
  folders: { key: string; value: unknown };
  /** Coordination policies that were trained or imported here, by id. */
  policies: { key: string; value: unknown };
  /** What a sentence model said of a question, which is named by its SHA-256: see `sentence-vectors.ts`. */
  vectors: { key: [modelId: string, question: string]; value: StoredVector; indexes: { at: number } };
  /** Keys, encrypted: see `vault.ts`. */
  vault: { key: string; value: unknown };
}

export interface StoredImage {
  readonly blob: Blob;
  /** Ids of runs. Empty while only a question that is being written has it. */
  readonly runs: readonly string[];
  /** When it was last attached to a question, ms since the epoch; absent for one that came in with a run. */
  readonly attachedAt?: number;
}

export interface StoredVector {
  readonly vector: Float32Array;
  /** When it was added, ms since the epoch. */
  readonly at: number;
}

export type Migration = (
  database: IDBPDatabase<PodiumSchema>,
  transaction: IDBPTransaction<PodiumSchema, StoreNames<PodiumSchema>[], 'versionchange'>,
) => void;

/** The migration at `n` leads from version `n` to `n + 1`. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    database.createObjectStore('chunks');
    const summaries = database.createObjectStore('summaries');
    summaries.createIndex('id', 'id', { unique: true });
    summaries.createIndex('status', 'status');
    database.createObjectStore('blobs');
    database.createObjectStore('counts');
    database.createObjectStore('setups');
    database.createObjectStore('preferences');
  },
  (database) => {
    database.createObjectStore('models');
  },
  (database) => {
    database.createObjectStore('vault');
  },
  (database) => {
    database.createObjectStore('spending');
    database.createObjectStore('holds');
  },
  (database) => {
    database.createObjectStore('folders');
  },
  (database) => {
    database.createObjectStore('images').createIndex('runs', 'runs', { multiEntry: true });
  },
  (database) => {
    database.createObjectStore('policies');
  },
  (database) => {
    database.createObjectStore('vectors').createIndex('at', 'at');
  },
];
