/** @file The phases of a step. */

/**
 * - `waiting`: waits for what it sees, or for room under the caps
 * - `running`: a call is leaving or under way
 * - `pausing`: between two attempts
 * - `storing`: its output is being written to disk
 * - `finished`, `failed`, `skipped`: ended
 * - `conductor`: the last step names the Conductor itself, so it is never called
 * - `gone`: cancelled or discarded
 */
export type StepPhase =
  'waiting' | 'running' | 'pausing' | 'storing' | 'finished' | 'failed' | 'skipped' | 'conductor' | 'gone';

/** A call may still leave, unless the step is cancelled. */
export const STILL_TO_COME: ReadonlySet<StepPhase> = new Set(['waiting', 'pausing', 'conductor']);

/** Nothing more happens to it without the user. */
export const ENDED: ReadonlySet<StepPhase> = new Set(['finished', 'failed', 'skipped', 'conductor', 'gone']);
