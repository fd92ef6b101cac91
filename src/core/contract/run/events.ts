/**
 * @file Everything that can happen in a run. Nothing is known of a run that is not in its events.
 * Names are noun-verb. All times are ms, all money US dollars, all indexes 0-based.
 */
import type { PlanEvent } from '../workflow/conductor';
import type { Fault } from '../fault';
import type { Channel, FinishReason, PromptMessage, Usage } from '../model/message';
import type { ResumedWith, RunSettings } from './settings';
import type { PoolWorker, Waiting } from '../worker/worker';
import type { Workflow } from '../workflow/workflow';

/** The schema of events written today. Older ones are upcast on reading, never rewritten. */
export const SCHEMA = 1;

/** One attempt at one step of one round. */
export interface StepKey {
  readonly round: number;
  readonly step: number;
  readonly attempt: number;
}

/** `approval`: the plan stands and may be changed before it runs. `choice`: one of several candidates is to be chosen. */
export const HELD_FOR = ['approval', 'choice'] as const;
export type HeldFor = (typeof HELD_FOR)[number];

export type CapName = 'rounds' | 'calls' | 'tokens' | 'usd';

/** Where a run was forked from: everything before that step was reused. */
export interface Parent {
  readonly runId: string;
  readonly round: number;
  readonly step: number;
}

/** What a run depends on, as it is stored. */
export interface RunStarted extends RunSettings {
  readonly type: 'run-started';
  readonly schema: number;
  readonly parent?: Parent;
}

type PlanBody = PlanEvent & { readonly round: number };
/** What passes between a run and a person who decides about its plan. The time they take is not the run's. */
type DecisionBody =
  /** The run waits, and calls nothing meanwhile. */
  | { readonly type: 'plan-held'; readonly round: number; readonly heldFor: HeldFor }
  /** A plan was changed by a person before it ran; the whole of it as it stands now. */
  | { readonly type: 'plan-edited'; readonly round: number; readonly workflow: Workflow }
  /** A person lets the plan run as it stands. */
  | { readonly type: 'plan-approved'; readonly round: number };

/** Where an end carries `sent: false` the call never left, so that it counts as none. */
export type StepBody =
  | ({ readonly type: 'step-queued' } & StepKey)
  /** A call is about to leave. `sha256` is of the JSON of the messages as they are sent. */
  | ({
      readonly type: 'step-started';
      readonly workerId: string;
      readonly messages: readonly PromptMessage[];
      readonly sha256: string;
    } & StepKey)
  /** The call has not left yet, because a limit or other calls hold it back; with `for: null` it leaves now. Nothing is charged meanwhile. */
  | ({ readonly type: 'step-waiting' } & Waiting & StepKey)
  /** Once its step has ended a stored delta is a timing mark: `text` is empty and `length` tells how long it was. */
  | ({
      readonly type: 'step-delta';
      readonly channel: Channel;
      readonly text: string;
      readonly length?: number;
    } & StepKey)
  /** This attempt failed before its first content; another one (`attempt + 1`) starts after `delay`. */
  | ({
      readonly type: 'step-retried';
      readonly fault: Fault;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly sent?: false;
      readonly delay: number;
    } & StepKey)
  | ({
      readonly type: 'step-finished';
      /** All content deltas joined, exactly. */
      readonly output: string;
      readonly reasoning: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly finishReason: FinishReason;
    } & StepKey)
  | ({
      readonly type: 'step-failed';
      readonly fault: Fault;
      /** What had come before it failed. */
      readonly output: string;
      readonly reasoning: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly sent?: false;
    } & StepKey)
  /**
   * Not called, because the step `because` that it sees has no output. Its own index: it names the Conductor, who would have
   * gone on with another round, which a cap forbids.
   */
  | ({ readonly type: 'step-skipped'; readonly because: number } & StepKey)
  /** Taken over from the parent run without a call. */
  | ({
      readonly type: 'step-reused';
      readonly output: string;
      readonly reasoning: string;
      /** Who wrote it, as set up then. Absent: as the pool of this run has it. */
      readonly worker?: PoolWorker;
    } & StepKey)
  /** Started early under a plan that was then lost; its cost stands. */
  | ({
      readonly type: 'step-discarded';
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly sent?: false;
    } & StepKey)
  /** Stopped by a person while it ran, or before. */
  | ({
      readonly type: 'step-cancelled';
      readonly output: string;
      readonly reasoning: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly sent?: false;
    } & StepKey);

export type RoundOutcome = 'answered' | 'recursed' | 'kept' | 'failed';

export type RunBody =
  | RunStarted
  | { readonly type: 'round-started'; readonly round: number }
  /** `recursed`: the last step names the Conductor, so another round follows. `kept`: an empty workflow kept the earlier answer. */
  | { readonly type: 'round-finished'; readonly round: number; readonly outcome: RoundOutcome }
  | {
      readonly type: 'cap-reached';
      readonly cap: CapName;
      readonly limit: number;
      readonly wanted: number;
      /** The cap is that of the day, for all runs together. */
      readonly day?: boolean;
    }
  /** The answer is the output of this step. */
  | { readonly type: 'run-finished'; readonly round: number; readonly step: number }
  | { readonly type: 'run-failed'; readonly fault: Fault }
  | { readonly type: 'run-cancelled' }
  /** The page that ran it is gone; written by whoever finds it. */
  | { readonly type: 'run-interrupted' }
  /** With the settings that changed: a resumed run uses the user's current set-up. `pool` is whole, since steps refer to it by index. */
  | ({ readonly type: 'run-resumed' } & ResumedWith)
  | {
      readonly type: 'run-graded';
      readonly correct: boolean | null;
      readonly by: 'person' | 'grader';
      readonly detail: string;
    }
  | { readonly type: 'run-labelled'; readonly label: string; readonly on: boolean }
  /** Came in from a file, here and now; written by whoever took it in. */
  | { readonly type: 'run-imported' };

export type EventBody = PlanBody | DecisionBody | StepBody | RunBody;

/** Who, when, in which order. */
export interface EventStamp {
  readonly runId: string;
  /** 0, 1, 2, … without gaps within a run. */
  readonly seq: number;
  /** Wall clock, ms since the epoch. */
  readonly at: number;
  /** 0 for the session that started the run, one more for each that resumed it. */
  readonly segment: number;
  /** Monotonic ms since the segment began. */
  readonly elapsed: number;
}

export type RunEvent = EventStamp & EventBody;

/** Every type of event that this version knows. */
export type EventType = EventBody['type'];

/** An event of a later version of Podium: kept as it is, folded as nothing. */
export interface UnknownEvent extends EventStamp {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type StoredEvent = RunEvent | UnknownEvent;
