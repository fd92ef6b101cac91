/**
 * @file The schema of the database and its migrations. Each version has one migration. Append new migrations to the list, and
 * never change existing ones.
 */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { EvaluationTask, RunSummary } from '../../core/contract';
import type { PackedVector } from './packed-vectors';

export interface PodiumSchema extends DBSchema {
  /**
   * Each record is an array of events. One record for many events is five times as fast as one record for
   * each event. The key consists of the run's id and the `seq` of the record's first event. The records of a
   * run are therefore one key range. Records are validated with the schema of events when they are read.
   */
  chunks: { key: [runId: string, first: number]; value: readonly unknown[] };
  /** The key starts with the negated start time, so that key ranges return the newest runs first without a cursor. */
  summaries: {
    key: [negatedStart: number, runId: string];
    value: RunSummary;
    indexes: { id: string; status: string };
  };
  /** Long texts that many runs share, by the SHA-256 of the text. */
  blobs: { key: string; value: string };
  /** Images and texts of files of questions, by their SHA-256. Each record lists the runs that refer to it. See `images.ts`. */
  images: { key: string; value: StoredAttachment; indexes: { runs: string } };
  /** `runs`: the number of runs. It is stored because counting a large store is slow. */
  counts: { key: 'runs'; value: number };
  setups: { key: string; value: unknown };
  /** The connections of the workers, by id. */
  connections: { key: string; value: unknown };
  /** The list of models that the server of a connection returned last, by the connection's id. */
  modelLists: { key: string; value: unknown };
  preferences: { key: 'preferences'; value: unknown };
  /** Manifests of the user's own models, by id. */
  models: { key: string; value: unknown };
  /** The cost of one worker's calls on one day. See `spending.ts`. */
  spending: { key: [day: string, workerId: string]; value: unknown };
  /** Money reserved for calls in progress, by the id of the reservation. */
  holds: { key: string; value: unknown };
  /** Handles of folders with the user's own models. The key is the model's id. In older records, it is the folder's name. */
  folders: { key: string; value: unknown };
  /** Policies that were trained or imported here, by id. */
  policies: { key: string; value: unknown };
  /** Embeddings of questions, by the id of the sentence model and the question's SHA-256. See `sentence-vectors.ts`. */
  vectors: { key: [modelId: string, question: string]; value: StoredVector; indexes: { at: number } };
  /** Encrypted keys. See `vault.ts`. */
  vault: { key: string; value: unknown };
  /** Batches, by id. See `batches.ts`. */
  batches: { key: string; value: unknown };
  /** The outcomes of the units of batches. */
  outcomes: { key: [batchId: string, unitKey: string]; value: unknown };
  /** Datasets by id. See `dataset-records.ts`. */
  datasets: { key: string; value: unknown };
  /** Tasks of datasets. `storedUnder` is a key that each import and each restore chooses for its tasks. */
  tasks: {
    key: [storedUnder: string, index: number];
    value: StoredTask;
    indexes: { task: [storedUnder: string, taskId: string] };
  };
  /** Ids and groups of all tasks of a dataset, by `storedUnder`. Listing the tasks therefore does not read their texts. */
  outlines: { key: string; value: unknown };
  /** When an unfinished import last stored tasks, ms since the epoch. The key is `storedUnder`. */
  stagings: { key: string; value: number };
  /**
   * A mark for each run that must be indexed again, because it was written or deleted since it was last indexed. The key is the
   * run's id. Each change of a run stores a new random number, so that the indexer notices changes during its work.
   */
  unindexed: { key: string; value: number };
  /** The index of runs. See `index-records.ts`. */
  indexHeads: { key: 'head'; value: unknown };
  indexChunks: { key: number; value: unknown };
  /** Marks the outdated rows of each chunk of the index. */
  indexDead: { key: number; value: unknown };
  /** Index entries that are in no chunk yet, by the run's id. */
  indexTail: { key: string; value: unknown };
  /** Texts of a chunk's runs, in blocks. */
  indexTexts: { key: [chunk: number, block: number]; value: unknown };
  /** Events of measurements of workers, and of searches for lessons. See `event-logs.ts`. */
  measurements: { key: [id: string, seq: number]; value: unknown };
  searches: { key: [id: string, seq: number]; value: unknown };
}

export interface StoredTask {
  readonly storedUnder: string;
  /** Validated when it is read. */
  readonly task: EvaluationTask;
}

export interface StoredAttachment {
  /** The bytes of an image. */
  readonly blob?: Blob;
  /** The text of a file. It is not a `Blob`, because a transaction ends while a `Blob` is read. */
  readonly text?: string;
  /** Ids of the runs that use the attachment. Empty while only an unsent question uses it. */
  readonly runs: readonly string[];
  /**
   * When this was last attached to a question, ms since the epoch. Missing if it was only imported with a
   * run, or if the user has removed it from the question.
   */
  readonly attachedAt?: number;
}

export interface StoredVector {
  /** Older versions stored numbers of 32 bits. Such vectors are computed again. */
  readonly vector: PackedVector;
  /** When the vector was added, ms since the epoch. */
  readonly at: number;
}

export type Migration = (
  database: IDBPDatabase<PodiumSchema>,
  transaction: IDBPTransaction<PodiumSchema, StoreNames<PodiumSchema>[], 'versionchange'>,
) => void;

/** The migration at index `n` migrates version `n` to `n + 1`. */
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
  (database) => {
    for (const name of ['batches', 'outcomes', 'datasets', 'outlines', 'stagings'] as const) {
      database.createObjectStore(name);
    }
    database.createObjectStore('tasks').createIndex('task', ['storedUnder', 'task.id']);
  },
  (database) => {
    for (const name of ['unindexed', 'indexHeads', 'indexChunks', 'indexDead', 'indexTail', 'indexTexts'] as const) {
      database.createObjectStore(name);
    }
  },
  (database) => {
    // The connections are made from the stored workers when these are next read. See `setups.ts`.
    database.createObjectStore('connections');
    database.createObjectStore('modelLists');
  },
  (database) => {
    database.createObjectStore('measurements');
    database.createObjectStore('searches');
  },
];
