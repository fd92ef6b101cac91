/** @file The context that all parts of an execution share. */
import type { BatchReference, Clock, PromptSources, RunSettings, SeenRound, WorkerDirectory } from '../contract';
import type { CapsLedger } from './caps';
import type { DayBudget } from './day-budget';
import type { DeltaCoalescer } from './delta-coalescer';
import type { EventWriter } from './event-writer';
import type * as settled from './settled';

export type Settling = typeof settled;

/** The settings of a run, and the task that it answers if it belongs to a batch. */
export type RunSnapshot = RunSettings & { readonly batch?: BatchReference | null };

export interface RunContext {
  readonly snapshot: RunSnapshot;
  readonly events: EventWriter;
  readonly caps: CapsLedger;
  readonly day: DayBudget;
  readonly deltas: DeltaCoalescer;
  readonly clock: Clock;
  readonly workers: WorkerDirectory;
  readonly digest: (text: string) => string;
  /** The texts that prompts refer to: the question, and the subtasks and outputs of this round and earlier rounds. */
  readonly sources: PromptSources;
  /** The rounds before the current round. */
  readonly played: () => readonly SeenRound[];
  /**
   * Aborts when the run is stopped. Calls that are cancelled only together with the run share this controller, because
   * creating an AbortController for each call is expensive.
   */
  readonly stop: AbortController;
  /** Whether the steps of a plan wait until the user approves the plan. */
  readonly needsApproval: boolean;
  /** The rules for settled steps. `null`: the run skips no settled steps, or the rules are not loaded yet. */
  readonly settling: () => Settling | null;
  /** Whether the run is being stopped. If so, no new call may be sent. */
  stopping(): boolean;
}

/**
 * If plans may contain a step for the Conductor (recursion), the index of the Conductor in the pool.
 * Otherwise -1.
 */
export function conductorIndex({ recursion, pool }: Pick<RunSettings, 'recursion' | 'pool'>): number {
  return recursion ? pool.length - 1 : -1;
}
