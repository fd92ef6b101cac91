/** @file The phases of a step. */

/**
 * - `waiting`: the step waits for steps that it sees, or for room under the caps
 * - `running`: a call is being sent or in progress
 * - `pausing`: between two attempts
 * - `storing`: the output is being written to disk
 * - `finished`, `failed`, `skipped`: ended
 * - `conductor`: the last step, if it belongs to the Conductor. It requests another round and calls no worker
 * - `gone`: cancelled or discarded
 */
export type StepPhase =
  'waiting' | 'running' | 'pausing' | 'storing' | 'finished' | 'failed' | 'skipped' | 'conductor' | 'gone';

/**
 * Phases in which a step has no call in progress, but can still be cancelled. `conductor` is also in `ENDED`,
 * because a round does not wait for the Conductor's step.
 */
export const WITHOUT_CALL: ReadonlySet<StepPhase> = new Set(['waiting', 'pausing', 'conductor']);

/** Phases in which a step has ended. Only the user can start such a step again. */
export const ENDED: ReadonlySet<StepPhase> = new Set(['finished', 'failed', 'skipped', 'conductor', 'gone']);
