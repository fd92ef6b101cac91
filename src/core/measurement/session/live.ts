/** @file A measurement that runs in this tab, and what it needs. */
import type { Clock, Fault, Locks, Spending, WorkerDirectory } from '../../contract';
import type { MeasurementEvent } from '../../contract/measurement/measurement';
import type { MeasurementState } from '../../contract/measurement/measurement-state';
import type { EventLogs } from '../../contract/storage/event-logs';
import type { DatasetParts } from './dataset-tasks';
import type { MeasuringTasks } from './tasks';

export interface MeasurerParts {
  readonly store: Pick<EventLogs<MeasurementEvent>, 'read' | 'append'>;
  readonly tasks: MeasuringTasks;
  /** Loads the datasets and their graders. Absent: datasets can't take part. */
  readonly datasets?: () => Promise<DatasetParts>;
  readonly workers: WorkerDirectory;
  readonly spending: Spending;
  readonly locks: Pick<Locks, 'acquire'>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Whether Private is on: only workers on this machine may be called. */
  readonly isPrivate: () => Promise<boolean>;
  /** Called with errors that don't stop a measurement. */
  readonly report: (thrown: unknown) => void;
}

/** A measurement that runs in this tab. */
export interface LiveMeasurement {
  readonly id: string;
  readonly state: MeasurementState;
  /** Resolves when nothing is asked any more, with the fault that stopped it, or `null`. Never rejects. */
  readonly done: Promise<{ readonly state: MeasurementState; readonly fault: Fault | null }>;
  subscribe(listener: (state: MeasurementState) => void): () => void;
  /** Aborts the current calls, and asks nothing more. The answers so far stay. */
  stop(): void;
}

/** The id under which the calls of a measurement reserve money. */
export function ledgerId(id: string): string {
  return `measure:${id}`;
}
