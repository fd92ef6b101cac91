/** @file The storage interface of the core. Implemented over IndexedDB in platform/store, and over files in node/store. */
import type { RunEvent, StoredEvent } from '../run/events';
import type { RunSummary } from '../run/summary';

/** The executor's interface for writing events. */
export interface Journal {
  /**
   * Queues an event and resolves when the event is on disk. Events are written in order. `isStrict` decides which events the disk
   * must confirm. On failure, rejects with a `FaultError` (`storage-full`, `storage-failed`).
   */
  append(event: RunEvent): Promise<void>;
}

/** A page of summaries, with the newest run first. */
export interface SummaryPage {
  readonly summaries: readonly RunSummary[];
  /** Cursor of the next page. `null` at the end. */
  readonly next: string | null;
}

/** Storage for runs. */
export interface RunStore extends Journal {
  /** Events of a run in order. Empty if the run does not exist. */
  read(runId: string): Promise<readonly StoredEvent[]>;
  /** Like `read`, for several runs at once. A run that can't be read has no events. */
  readMany(runIds: readonly string[]): Promise<readonly (readonly StoredEvent[])[]>;
  summary(runId: string): Promise<RunSummary | null>;
  summaries(options: { limit: number; after?: string | null }): Promise<SummaryPage>;
  /** Runs that have started but not ended, according to their summaries. */
  unfinished(): Promise<readonly RunSummary[]>;
  count(): Promise<number>;
  delete(runId: string): Promise<void>;
  deleteAll(): Promise<void>;
  /** Waits until everything appended so far is on disk. */
  flush(): Promise<void>;
}

/** Locks across tabs, such as the lock of a run or of a batch. */
export interface Locks {
  /** Acquires the lock if it is free and returns a function that releases it. `null` if the lock is held. */
  acquire(name: string): Promise<(() => void) | null>;
  /** Resolves as soon as the lock is free: it was released, or its holder is gone. Rejects on abort. */
  whenFree(name: string, signal: AbortSignal): Promise<void>;
}

/** The name of the lock that is held while a run is in progress or being written. */
export function runLock(runId: string): string {
  return `run:${runId}`;
}

/** Notifies other tabs of changes. IndexedDB remains the source of truth. */
export interface ChangeNotices {
  notify(runId: string): void;
  /** @returns a function that unsubscribes */
  listen(listener: (runId: string) => void): () => void;
  /** Reports that all stored data may have changed, because all runs were deleted or a backup was restored. */
  notifyAll(): void;
  /** @returns a function that unsubscribes */
  listenAll(listener: () => void): () => void;
  /** Reports that the trained policy in use, or the list of saved policies, has changed. */
  notifyPolicies(): void;
  /** @returns a function that unsubscribes */
  listenPolicies(listener: () => void): () => void;
}
