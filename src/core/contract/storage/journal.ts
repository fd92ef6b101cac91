/**
 * @file What the core needs of storage. Implemented over IndexedDB in platform/store, in memory in tests.
 */
import type { RunEvent, StoredEvent } from '../run/events';
import type { RunSummary } from '../run/summary';

/** Where the executor writes. */
export interface Journal {
  /**
   * Queues an event; resolves when it is on disk, in order. That a call leaves and how it ends, a plan's calls included,
   * and what ends a run are written with strict durability. Rejects with a `FaultError` (`storage-full`, `storage-failed`).
   */
  append(event: RunEvent): Promise<void>;
}

/** A page of summaries, newest first. */
export interface SummaryPage {
  readonly summaries: readonly RunSummary[];
  /** Give this to get the next page; `null` at the end. */
  readonly next: string | null;
}

/** Everything kept of runs. */
export interface RunStore extends Journal {
  /** Events of a run in order; empty if it does not exist. */
  read(runId: string): Promise<readonly StoredEvent[]>;
  /** As `read` for several, in one go; a run that cannot be read is empty. */
  readMany(runIds: readonly string[]): Promise<readonly (readonly StoredEvent[])[]>;
  summary(runId: string): Promise<RunSummary | null>;
  summaries(options: { limit: number; after?: string | null }): Promise<SummaryPage>;
  /** Runs that have begun and not ended, as far as their summaries tell. */
  unfinished(): Promise<readonly RunSummary[]>;
  count(): Promise<number>;
  delete(runId: string): Promise<void>;
  deleteAll(): Promise<void>;
  /** Waits until everything appended so far is on disk. */
  flush(): Promise<void>;
}

/** Cross-tab locks: held while a run lives. */
export interface Locks {
  /** Takes the lock if it is free and returns how to give it back; `null` if someone holds it. */
  take(name: string): Promise<(() => void) | null>;
  /** Resolves as soon as nobody holds the lock, because it was given back or its holder is gone. Aborts throw. */
  whenFree(name: string, signal: AbortSignal): Promise<void>;
}

/** The lock that is held while a run lives or is written to. */
export function runLock(runId: string): string {
  return `run:${runId}`;
}

/** Tells other tabs that something changed; IndexedDB remains the truth. */
export interface ChangeNotices {
  tell(runId: string): void;
  /** @returns how to stop listening */
  listen(heard: (runId: string) => void): () => void;
  /** Everything that is kept may have changed: all runs were deleted, a backup was restored. */
  tellAll(): void;
  /** @returns how to stop listening */
  listenAll(heard: () => void): () => void;
  /** Which trained policy is in use, or which are kept, has changed. */
  tellPolicies(): void;
  /** @returns how to stop listening */
  listenPolicies(heard: () => void): () => void;
}
