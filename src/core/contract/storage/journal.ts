/**
 * @file Interfaces for storing runs, and for locks and notices between tabs. platform/store implements them with IndexedDB.
 * node/store implements them with files.
 */
import type { RunEvent, StoredEvent } from '../run/events';
import type { RunSummary } from '../run/summary';

/** Stores the events of runs. */
export interface Journal {
  /**
   * Stores an event. Events are stored in order. For a strict event (see `isStrict`), the promise resolves only when the event is
   * on disk. On failure, rejects with a `FaultError` (`storage-full`, `storage-failed`).
   */
  append(event: RunEvent): Promise<void>;
}

/** A page of summaries, newest run first. */
export interface SummaryPage {
  readonly summaries: readonly RunSummary[];
  /** Cursor of the next page. `null` at the end. */
  readonly next: string | null;
}

/** Storage for runs. */
export interface RunStore extends Journal {
  /** Events of a run in order. Empty if the run does not exist. */
  read(runId: string): Promise<readonly StoredEvent[]>;
  /** Like `read`, for several runs at once. The list of a run that can't be read is empty. */
  readMany(runIds: readonly string[]): Promise<readonly (readonly StoredEvent[])[]>;
  summary(runId: string): Promise<RunSummary | null>;
  summaries(options: { limit: number; after?: string | null }): Promise<SummaryPage>;
  /** Runs that have started but not ended, according to their summaries. */
  unfinished(): Promise<readonly RunSummary[]>;
  count(): Promise<number>;
  delete(runId: string): Promise<void>;
  deleteAll(): Promise<void>;
  /** Waits until all events appended so far are stored. */
  flush(): Promise<void>;
}

/** Locks across tabs, such as the lock of a run or of a batch. */
export interface Locks {
  /** Acquires the lock if it is free and returns a function that releases it. `null` if the lock is held. */
  acquire(name: string): Promise<(() => void) | null>;
  /** Resolves as soon as the lock is free. Rejects on abort. */
  whenFree(name: string, signal: AbortSignal): Promise<void>;
}

/** The name of the lock that is held while a run is in progress or being written. */
export function runLock(runId: string): string {
  return `run:${runId}`;
}

/** Notifies other tabs that stored data has changed. A notice does not contain the data. */
export interface ChangeNotices {
  notify(runId: string): void;
  /** @returns a function that unsubscribes */
  listen(listener: (runId: string) => void): () => void;
  /** Used when all runs were deleted, or when a backup was restored. */
  notifyAll(): void;
  /** @returns a function that unsubscribes */
  listenAll(listener: () => void): () => void;
  /** Used when the user has chosen another trained policy, or when the list of saved policies has changed. */
  notifyPolicies(): void;
  /** @returns a function that unsubscribes */
  listenPolicies(listener: () => void): () => void;
}
