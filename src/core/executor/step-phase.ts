/** @file How far a step of a round is. */

/**
 * - `waiting`: for what it sees, or for room under the caps
 * - `running`: a call is leaving or under way
 * - `pausing`: between two attempts
 * - `storing`: it has its output, which is on its way to disk
 * - `finished`, `failed`, `skipped`: ended
 * - `conductor`: the last step names the Conductor itself, so it is never called
 * - `gone`: cancelled or discarded
 */
export type StepPhase =
  'waiting' | 'running' | 'pausing' | 'storing' | 'finished' | 'failed' | 'skipped' | 'conductor' | 'gone';

/** A call of it may still leave, unless the step is called off. */
export const STILL_TO_COME: ReadonlySet<StepPhase> = new Set(['waiting', 'pausing', 'conductor']);

/** Nothing more will happen to it by itself. */
export const ENDED: ReadonlySet<StepPhase> = new Set(['finished', 'failed', 'skipped', 'conductor', 'gone']);
