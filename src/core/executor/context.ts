/**
 * @file What every part of a running run shares.
 */
import type { Clock, PromptSources, RunSettings, WorkerDirectory } from '../contract';
import type { CapsLedger } from './caps';
import type { DayBudget } from './day-budget';
import type { DeltaCoalescer } from './delta-coalescer';
import type { EventWriter } from './event-writer';

export interface RunContext {
  readonly snapshot: RunSettings;
  readonly events: EventWriter;
  readonly caps: CapsLedger;
  readonly day: DayBudget;
  readonly deltas: DeltaCoalescer;
  readonly clock: Clock;
  readonly workers: WorkerDirectory;
  readonly digest: (text: string) => string;
  /** What prompts refer to, in this round and in earlier ones. */
  readonly sources: PromptSources;
  /** Aborted when the run is stopped. Shared by all calls that only end together, because signals are dear. */
  readonly stop: AbortController;
  /** Whether a person is asked before a plan runs. */
  readonly asks: boolean;
  /** Whether the run is being stopped: nothing new may leave. */
  stopping(): boolean;
}

/** Where the Conductor stands in the pool, if it may name itself; else -1. */
export function conductorIndex({ recursion, pool }: Pick<RunSettings, 'recursion' | 'pool'>): number {
  return recursion ? pool.length - 1 : -1;
}
