/**
 * @file From where a run begins: anew, where an earlier session left it, or beside an earlier run.
 */
import {
  SCHEMA,
  type Account,
  type EventBody,
  type PlanRequest,
  type PoolWorker,
  type RunSettings,
  type Step,
  type Workflow,
} from '../contract';
import type { Candidate } from './choice';
import type { ExecuteRequest } from './request';

/** The output of a step from before, which stands if the plan still asks for the same. */
export interface KeptStep {
  readonly index: number;
  readonly step: Step;
  readonly output: string;
  readonly reasoning: string;
  readonly attempt: number;
  readonly account: Account;
  /** Taken over from another run, which must be said; else it stands in this run already. */
  readonly reused: boolean;
  /** Who wrote it, where that is not the worker of the pool. */
  readonly worker?: PoolWorker;
}

/** A round that is over. */
export interface PlayedRound {
  readonly workflow: Workflow;
  /** Output of each step, `null` where it has none. */
  readonly outputs: readonly (string | null)[];
  /** The step whose output would be the answer; `null` if no step has one. */
  readonly answer: number | null;
}

/** The round to go on with. */
export interface OpenRound {
  readonly round: number;
  /** Whether `round-started` has been said. */
  readonly begun: boolean;
  /** Its plan, if that is finished; else the Conductor is asked. */
  readonly workflow: Workflow | null;
  /** Candidates that a person was asked to choose among and has not; else empty. */
  readonly candidates: readonly Candidate[];
  /** Whether a person has let that plan run, or wrote it for this run. */
  readonly approved: boolean;
  /** Most steps of that plan, or of those candidates. `null`: they are still to be made, under the current settings. */
  readonly maxSteps: number | null;
  readonly kept: readonly KeptStep[];
  /** For each step the number of its next attempt; absent is 0. */
  readonly nextAttempts: readonly number[];
}

export interface Opening {
  readonly snapshot: RunSettings;
  readonly segment: number;
  readonly firstSeq: number;
  readonly spent: { readonly calls: number; readonly tokens: number; readonly usd: number };
  /** What is said first. */
  readonly events: readonly EventBody[];
  readonly played: readonly PlayedRound[];
  /** `null`: every round is over and the last one has an answer, which only has to be said. */
  readonly next: OpenRound | null;
}

/** A round of which nothing is known yet. */
export function freshRound(round: number): OpenRound {
  return {
    round,
    begun: false,
    workflow: null,
    candidates: [],
    approved: false,
    maxSteps: null,
    kept: [],
    nextAttempts: [],
  };
}

/** The first event of a new run or a fork. */
export function runStarted({ start }: ExecuteRequest, parent = start.parent): EventBody {
  return { type: 'run-started', schema: SCHEMA, ...start, ...(parent ? { parent } : {}) };
}

/** A run that begins with nothing. */
export function openNew(request: ExecuteRequest): Opening {
  return {
    snapshot: request.start,
    segment: 0,
    firstSeq: 0,
    spent: { calls: 0, tokens: 0, usd: 0 },
    events: [runStarted(request)],
    played: [],
    next: freshRound(0),
  };
}

/** Earlier rounds as the Conductor is shown them. */
export function earlierRounds(played: readonly PlayedRound[]): PlanRequest['earlier'] {
  return played.map(({ workflow, outputs, answer }) => ({
    workflow,
    outputs,
    answer: answer === null ? '' : (outputs[answer] ?? ''),
  }));
}

/** The last step with an output that is not the Conductor's own, or `null`. */
export function answerOf(
  steps: readonly Step[],
  outputs: readonly (string | null)[],
  conductor: number,
): number | null {
  const found = steps.findLastIndex((step, index) => step.worker !== conductor && (outputs[index] ?? null) !== null);
  return found === -1 ? null : found;
}
