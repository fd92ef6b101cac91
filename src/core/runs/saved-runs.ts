/**
 * @file Reads stored runs, and appends events to runs that have ended. An event is appended only while the
 * run's lock is held. Its number is one higher than that of the newest stored event. So two tabs never write
 * the same number.
 */
import {
  fault,
  FaultError,
  foldEvents,
  runLock,
  type Clock,
  type EventBody,
  type Locks,
  type Run,
  type RunEvent,
  type RunStore,
  type StoredEvent,
} from '../contract';

/** A run and the events from which its state is computed. */
export interface OpenedRun {
  readonly run: Run;
  readonly events: readonly StoredEvent[];
}

/**
 * Number of attempts to acquire a lock (`LOCK_TRIES`), and the pause between two attempts in ms
 * (`LOCK_PAUSE`). Another tab may hold the lock briefly to add a grade.
 */
const LOCK_TRIES = 10;
const LOCK_PAUSE = 50;

/** Acquires a run's lock. If another tab holds it, tries again for half a second, then throws a `FaultError` (`run-busy`). */
export async function acquireRunLock(locks: Locks, clock: Clock, runId: string): Promise<() => void> {
  for (let tries = 1; ; tries++) {
    const release = await locks.acquire(runLock(runId));
    if (release) return release;
    if (tries === LOCK_TRIES) break;
    await clock.sleep(LOCK_PAUSE, new AbortController().signal);
  }
  const message = 'This run is running in another tab. Stop it there, or wait until it has ended.';
  throw new FaultError(fault('run-busy', message, { retryable: true }));
}

/** @returns `null` if the store has no such run */
export async function readRun(store: RunStore, runId: string): Promise<OpenedRun | null> {
  const events = await store.read(runId);
  const run = foldEvents(events);
  return run && { run, events };
}

/** Like `readRun`, but throws a `FaultError` (`run-missing`) if the store has no such run. */
export async function requireRun(store: RunStore, runId: string): Promise<OpenedRun> {
  const opened = await readRun(store, runId);
  if (opened) return opened;
  throw new FaultError(fault('run-missing', 'This run no longer exists. It may have been deleted in another tab.'));
}

/**
 * Builds the next event of a run that is not in progress. The event belongs to the segment of the run's last start
 * or resumption, and adds no time to the run.
 */
export function followingEvent(last: StoredEvent, body: EventBody, clock: Pick<Clock, 'now'>): RunEvent {
  const { runId, seq, segment, elapsed } = last;
  return { ...body, runId, seq: seq + 1, at: clock.now(), segment, elapsed };
}

/** Adds one event to a stored run. The caller must hold the run's lock. */
export async function appendTo(
  store: RunStore,
  { events }: OpenedRun,
  body: EventBody,
  clock: Clock,
): Promise<OpenedRun & { readonly event: RunEvent }> {
  const last = events.at(-1);
  if (!last) throw new FaultError(fault('internal', 'This run has no events to add to.'));
  const event = followingEvent(last, body, clock);
  await store.append(event);
  const grown = [...events, event];
  const run = foldEvents(grown);
  if (!run)
    throw new FaultError(fault('internal', 'The beginning of this run is missing, so nothing can be added to it.'));
  return { run, events: grown, event };
}
