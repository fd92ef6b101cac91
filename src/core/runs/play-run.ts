/**
 * @file Executes a run on virtual time, without real waiting. This needs a Conductor and workers that wait only on the run's
 * clock, such as simulated workers. Stores nothing, because the caller stores the finished run.
 */
import {
  fault,
  FaultError,
  foldEvents,
  type Clock,
  type Conductor,
  type Journal,
  type StoredEvent,
  type WorkerDirectory,
} from '../contract';
import { execute } from '../executor/execute';
import type { ExecuteRequest } from '../executor/request';
import type { OpenedRun } from './saved-runs';
import { VirtualClock } from './virtual-clock';

export interface PlayRequest extends Pick<ExecuteRequest, 'runId' | 'start' | 'history'> {
  readonly conductor: Conductor;
  /** The time of the run's first event, ms since the epoch. */
  readonly startedAt: number;
  /** The run to resume. It ended without an answer, and only its unfinished steps are called. Absent: a new run. */
  readonly prior?: OpenedRun;
}

export interface PlayDependencies {
  /** Finds workers that sleep on this clock and wait for nothing else. */
  readonly workersOn: (clock: Clock) => WorkerDirectory;
  /** Resolves once all pending work is either done or sleeping on the clock. */
  readonly settled: () => Promise<void>;
}

/**
 * Executes a run. Rejects with a `FaultError` if the executor ends before the run's first event.
 * @returns the run once it has ended, with all its events, including those of `prior`
 */
export async function playRun(
  { conductor, startedAt, prior, ...rest }: PlayRequest,
  { workersOn, settled }: PlayDependencies,
  signal: AbortSignal,
): Promise<OpenedRun> {
  const clock = new VirtualClock(startedAt, settled);
  const events: StoredEvent[] = [...(prior?.events ?? [])];
  const request = { ...rest, ...(prior ? { prior: { kind: 'resume', run: prior.run } as const } : {}) };
  const dependencies = { conductor, workers: workersOn(clock), journal: KEEPS_NOTHING, clock };
  for await (const event of execute(request, dependencies, signal)) events.push(event);
  const run = foldEvents(events);
  if (!run) throw new FaultError(fault('internal', 'The run has not begun.'));
  return { run, events };
}

/** Stores no events, because `playRun` collects the events that the executor yields. */
const KEEPS_NOTHING: Journal = { append: () => Promise.resolve() };
