/**
 * @file All events of a run. They are the only source of a run's state. All times are in ms, all amounts of money are in US
 * dollars, and all indexes are 0-based.
 */
import type { PlanEvent } from '../workflow/conductor';
import type { AnswerComparison } from './answer-comparison';
import type { BatchReference } from './batch-reference';
import type { Fault } from '../fault';
import type { Channel, FinishReason, PromptMessage, Usage } from '../model/message';
import type { JudgeCall } from './judge-call';
import type { PairBody } from './pair';
import type { CapName, ResumedWith, RunSettings } from './settings';
import type { PoolWorker, Waiting } from '../worker/worker';
import type { Settlement, StepVerdict } from '../workflow/verdict';
import type { Workflow } from '../workflow/workflow';

/**
 * The schema version of the events that this version of Podium writes. Older events are converted each time
 * they are read. The stored events stay unchanged.
 */
export const SCHEMA = 1;

/** One attempt at one step of one round. */
export interface StepKey {
  readonly round: number;
  readonly step: number;
  readonly attempt: number;
}

/**
 * Why a run waits for the user. `approval`: the plan is finished, and the user can change it before it runs. `choice`: the user
 * must choose one of several plans.
 */
export const HELD_FOR = ['approval', 'choice'] as const;
export type HeldFor = (typeof HELD_FOR)[number];

/** The run and the step from which a run was forked. `reused-steps.ts` decides which steps the fork reuses. */
export interface Parent {
  readonly runId: string;
  readonly round: number;
  readonly step: number;
}

/** The settings and inputs of a run, as stored. */
export interface RunStarted extends RunSettings {
  readonly type: 'run-started';
  readonly schema: number;
  readonly parent?: Parent;
  /** Absent: the run is not part of a batch. */
  readonly batch?: BatchReference;
  /**
   * Set if the run is a fork of a confidential run. Then the fork is confidential too: neither may leave this
   * browser.
   */
  readonly isConfidential?: true;
}

type PlanBody = PlanEvent & { readonly round: number };
/** Events of the user's decisions about a plan. The run's active time does not include the time that the user takes. */
type DecisionBody =
  /** The run waits for the user and makes no calls. */
  | { readonly type: 'plan-held'; readonly round: number; readonly heldFor: HeldFor }
  /** The user edited a plan before it ran. `workflow` is the whole edited plan. */
  | { readonly type: 'plan-edited'; readonly round: number; readonly workflow: Workflow }
  | { readonly type: 'plan-approved'; readonly round: number };

/**
 * In events that end an attempt, `sent: false` means that the call was never sent. Such a call is not
 * counted.
 */
export type StepBody =
  | ({ readonly type: 'step-queued' } & StepKey)
  /** A call is about to be sent. `sha256` is the digest of the JSON of the sent messages. */
  | ({
      readonly type: 'step-started';
      readonly workerId: string;
      readonly messages: readonly PromptMessage[];
      readonly sha256: string;
      /** Failed steps that this step would see, but goes on without. Absent: none. See `leaveOutFailed`. */
      readonly without?: readonly number[];
    } & StepKey)
  /**
   * The call waits, because a limit or other calls delay it. Nothing is charged while it waits. With `for:
   * null`, the wait is over and the call is sent now.
   */
  | ({ readonly type: 'step-waiting' } & Waiting & StepKey)
  /**
   * Once the attempt has ended, the text of its stored deltas is removed: `text` is `''`, and `length` is the length of the
   * removed text. `relabels`: the attempt's content before this delta turned out to be reasoning. Absent: it did not.
   */
  | ({
      readonly type: 'step-delta';
      readonly channel: Channel;
      readonly text: string;
      readonly length?: number;
      readonly relabels?: true;
    } & StepKey)
  /** This attempt failed before any text arrived. The next attempt (`attempt + 1`) starts after `delay`. */
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
      /** The exact concatenation of all content deltas. */
      readonly output: string;
      readonly reasoning: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      /** The output limit of this call, if a budget lowered it. */
      readonly outputLimit?: number;
      readonly finishReason: FinishReason;
      /** What the step, a check, says about the answers that it saw. Absent: it was not asked for verdicts. */
      readonly verdicts?: readonly StepVerdict[];
    } & StepKey)
  | ({
      readonly type: 'step-failed';
      readonly fault: Fault;
      /** The output before the failure. */
      readonly output: string;
      readonly reasoning: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly outputLimit?: number;
      readonly sent?: false;
    } & StepKey)
  /**
   * The step is not called, because it sees a step without output. `because` is the index of that other step.
   * There is one exception: if the last step names the Conductor, the step asks for another round. If no
   * other round follows, the step is skipped, and `because` is the step's own index.
   */
  | ({ readonly type: 'step-skipped'; readonly because: number } & StepKey)
  /**
   * The step is not called, because its answer is settled: each check that it sees found the answer right, and all answers that it
   * sees agree. `output` is the output of the step `from`.
   */
  | ({ readonly type: 'step-settled'; readonly output: string } & Settlement & StepKey)
  /** The step is reused from the parent run without a call. */
  | ({
      readonly type: 'step-reused';
      readonly output: string;
      readonly reasoning: string;
      /** The worker that wrote the output, as configured at that time. Absent: this run's pool has the same configuration. */
      readonly worker?: PoolWorker;
      /** As in `step-finished`. */
      readonly verdicts?: readonly StepVerdict[];
    } & StepKey)
  /** The step was started early for a plan that another plan then replaced. The cost of the step still counts. */
  | ({
      readonly type: 'step-discarded';
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly sent?: false;
    } & StepKey)
  /** The user stopped the step before or during its call. */
  | ({
      readonly type: 'step-cancelled';
      readonly output: string;
      readonly reasoning: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly sent?: false;
    } & StepKey);

/** The user's annotations of a run, apart from its grade and its labels. */
export interface Annotation {
  /** The title, shown in place of the question. Empty: no title. */
  readonly title: string;
  /** Empty: no note. */
  readonly note: string;
  readonly starred: boolean;
}

/** Maximum lengths, in characters, of the user's title, note, tags and comments on grades. */
export const ANNOTATION_LIMITS = { title: 200, note: 10_000, tag: 60, comment: 2000 } as const;

/** The best answer when the user ended a run early. */
export interface EarlyEnd {
  /** The round and the step whose output is the best answer so far. */
  readonly round: number;
  readonly step: number;
  /**
   * Index in the pool of the worker that combines all finished steps into one answer, in a round of its own. If its call fails, the
   * output of the step above is the answer. Absent: that output is the answer.
   */
  readonly combinedBy?: number;
}

export type RoundOutcome = 'answered' | 'recursed' | 'kept' | 'failed';

export type RunBody =
  | RunStarted
  | { readonly type: 'round-started'; readonly round: number }
  /**
   * `recursed`: another round follows, because the worker of the last step is the Conductor, or because `recursionMode` is
   * `always`. `kept`: the Conductor planned no steps, so the answer of the earlier round stays.
   */
  | { readonly type: 'round-finished'; readonly round: number; readonly outcome: RoundOutcome }
  | {
      readonly type: 'cap-reached';
      readonly cap: CapName;
      readonly limit: number;
      readonly wanted: number;
      /** Set if the cap is the daily budget, which applies to all runs together. */
      readonly day?: boolean;
    }
  /** The user ended the run early. Steps without an output are cancelled. */
  | ({ readonly type: 'answer-requested' } & EarlyEnd)
  /** The output of this step is the answer. */
  | { readonly type: 'run-finished'; readonly round: number; readonly step: number }
  | { readonly type: 'run-failed'; readonly fault: Fault }
  | { readonly type: 'run-cancelled' }
  /** The tab in which the run was in progress is gone. The tab that discovers this writes the event. */
  | { readonly type: 'run-interrupted' }
  /**
   * The run continues with the user's current settings. Only changed settings are stored. A changed `pool` is stored whole,
   * because steps refer to its workers by index.
   */
  | ({
      readonly type: 'run-resumed';
      /** Id of the batch that pays from now on, if it is not the batch that paid before. */
      readonly batch?: string;
    } & ResumedWith)
  | {
      readonly type: 'run-graded';
      readonly correct: boolean | null;
      readonly by: 'person' | 'grader';
      readonly detail: string;
      /** Version of the grader's rules. Absent: version 1, or a person's grade. */
      readonly version?: number;
      /** The paid call to a judge. With `correct: null`, the judge gave no verdict, or is about to be called. */
      readonly judge?: JudgeCall;
    }
  /** A worker compared answers: the independent answers of the run, or its answer with those of other runs. */
  | ({ readonly type: 'answers-compared' } & AnswerComparison)
  | PairBody
  | { readonly type: 'run-labelled'; readonly label: string; readonly on: boolean }
  /** The user changed the run's title, note or star. */
  | ({ readonly type: 'run-annotated' } & Partial<Annotation>)
  /** The run was imported from a file. The tab that imported the run writes the event. */
  | { readonly type: 'run-imported' };

export type EventBody = PlanBody | DecisionBody | StepBody | RunBody;

/** The run, the position and the times of an event. */
export interface EventStamp {
  readonly runId: string;
  /** 0, 1, 2, … without gaps within a run. */
  readonly seq: number;
  /** Wall clock, ms since the epoch. */
  readonly at: number;
  /** 0 for the session that started the run, plus one for each session that resumed it. */
  readonly segment: number;
  /** Monotonic ms since the segment began. */
  readonly elapsed: number;
}

export type RunEvent = EventStamp & EventBody;

/** The types of events that this version knows. */
export type EventType = EventBody['type'];

/** An event from a later version of Podium. It is stored unchanged. The run's state contains only the number of such events. */
export interface UnknownEvent extends EventStamp {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type StoredEvent = RunEvent | UnknownEvent;
