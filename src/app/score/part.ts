/** @file One step of a score: its worker, times and state. */
import type { Attempt, PoolWorker, Step, WaitingFor } from '../../core/contract';

export interface StepPlace {
  readonly round: number;
  readonly step: number;
}

export type PartState =
  | 'planned'
  | 'waiting'
  | 'started'
  | 'streaming'
  | 'retrying'
  | 'finished'
  /** Not called, because a check found the answer right. */
  | 'settled'
  | 'reused'
  | 'handed-over'
  | 'failed'
  | 'stopped'
  | 'interrupted'
  | 'discarded'
  | 'not-run'
  /** In a replay: the step starts after the playhead. */
  | 'later';

export interface Part {
  readonly place: StepPlace;
  /** 1-based, counted through all rounds. */
  readonly number: number;
  readonly step: Step;
  readonly worker: PoolWorker | null;
  /** Whether the step's worker is the Conductor. Such a step hands over to the next round. */
  readonly byConductor: boolean;
  readonly state: PartState;
  /**
   * When the step started: the moment when its first call was sent. If no call was sent, the moment when the step was reused,
   * handed over or failed. `null` if none of these moments is known. In a replay, `begin` may be later than the playhead.
   */
  readonly begin: number | null;
  /** When the step ended. While the step runs, this is the moment that the score shows. */
  readonly end: number | null;
  readonly firstToken: number | null;
  /** Failed attempts that have been or will be retried. Only the newest are listed. */
  readonly failures: readonly { readonly from: number; readonly to: number }[];
  /** Times without a running call: before a call was sent, and between a failed attempt and the next one. */
  readonly pauses: readonly Pause[];
  readonly attempts: readonly Attempt[];
  /** What the step's next call waits for. `null`: the step doesn't wait, or the reason is unknown. */
  readonly wait: PartWait | null;
  readonly knownAt: number | null;
  /** Depth of the step: 0 if it sees no steps, else one more than the deepest step that it sees. */
  readonly level: number;
  /** Indexes of the parts whose steps this step sees. */
  readonly sees: readonly number[];
}

/** A time in which a step waited before its next call. `for`: the reason, or `null` if it was not recorded. */
export interface Pause {
  readonly from: number;
  readonly to: number;
  readonly for: WaitingFor | 'retry' | null;
}

/** What a call waits for. `retry`: the pause after a failed attempt. */
export interface PartWait {
  readonly for: WaitingFor | 'retry';
  /** Remaining time, ms. `null`: unknown, or over. */
  readonly left: number | null;
}
