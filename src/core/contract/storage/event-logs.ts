/** @file Stores of events whose state is a fold over them, apart from runs: measurements, and searches for lessons. */

export interface LogStamp {
  /** Id of the measurement or search. */
  readonly id: string;
  /** Position in the log, from 0. */
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
}

/** A stored log in a list. */
export interface LogHead {
  readonly id: string;
  readonly startedAt: number;
}

export interface EventLogs<Event extends LogStamp> {
  /** All logs, newest first. */
  list(): Promise<readonly LogHead[]>;
  /** The events in order. Empty if there is no such log. */
  read(id: string): Promise<readonly Event[]>;
  /** Resolves when the event is on disk. */
  append(event: Event): Promise<void>;
  remove(id: string): Promise<void>;
}
