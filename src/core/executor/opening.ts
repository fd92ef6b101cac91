/**
 * @file Where an execution begins: a new run, a resumed run, or a fork.
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

/** A step's output from an earlier session or run. It is kept if the plan still asks for the same. */
export interface KeptStep {
  readonly index: number;
  readonly step: Step;
  readonly output: string;
  readonly reasoning: string;
  readonly attempt: number;
  readonly account: Account;
  /** Copied from another run, so that it needs an event; else it is already in this run. */
  readonly reused: boolean;
  /** Who wrote it, if that is not the worker of the pool. */
  readonly worker?: PoolWorker;
}

/** A round that is over. */
export interface PlayedRound {
  readonly workflow: Workflow;
  /** Output of each step; `null` if it has none. */
  readonly outputs: readonly (string | null)[];
  /** The step whose output would be the answer; `null` if no step has one. */
  readonly answer: number | null;
}

/** The round to continue with. */
export interface OpenRound {
  readonly round: number;
  /** Whether `round-started` has been emitted. */
  readonly begun: boolean;
  /** Its plan if that is finished; `null`: request one from the Conductor. */
  readonly workflow: Workflow | null;
  /** Candidates that the user has not chosen among yet; empty if there is no open choice. */
  readonly candidates: readonly Candidate[];
  /** Whether the user approved that plan, or wrote it for this run. */
  readonly approved: boolean;
  /** Most steps of that plan, or of those candidates. `null`: they are still to be made, under the current settings. */
  readonly maxSteps: number | null;
  readonly kept: readonly KeptStep[];
  /** For each step, the number of its next attempt. Absent: 0. */
  readonly nextAttempts: readonly number[];
}

export interface Opening {
  readonly snapshot: RunSettings;
  readonly segment: number;
  readonly firstSeq: number;
  readonly spent: { readonly calls: number; readonly tokens: number; readonly usd: number };
  /** Events to emit first. */
  readonly events: readonly EventBody[];
  readonly played: readonly PlayedRound[];
  /** `null`: every round is over and the last one has an answer, so only the run's end is missing. */
  readonly next: OpenRound | null;
}

/** A round that has not begun. */
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

/** A new run. */
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

/** Earlier rounds, as they are shown to the Conductor. */
export function earlierRounds(played: readonly PlayedRound[]): PlanRequest['earlier'] {
  return played.map(({ workflow, outputs, answer }) => ({
    workflow,
    outputs,
    answer: answer === null ? '' : (outputs[answer] ?? ''),
  }));
}

/** The last step with an output that is not the Conductor itself; `null` if there is none. */
export function answerOf(
  steps: readonly Step[],
  outputs: readonly (string | null)[],
  conductor: number,
): number | null {
  const found = steps.findLastIndex((step, index) => step.worker !== conductor && (outputs[index] ?? null) !== null);
  return found === -1 ? null : found;
}
