/** @file The beginning of an execution: a new run, a resumed run, or a fork. */
import {
  SCHEMA,
  type Account,
  type EarlyEnd,
  type EventBody,
  type Fault,
  type PlanRequest,
  type PoolWorker,
  type Step,
  type StepRun,
  type Workflow,
} from '../contract';
import type { Candidate } from './choice';
import type { RunSnapshot } from './context';
import type { ExecuteRequest } from './request';

/**
 * The output of a step from an earlier session or another run. The output is used if the plan still has the
 * same step, and the outputs of all steps that this step sees are used, too.
 */
export interface KeptStep {
  readonly index: number;
  readonly step: Step;
  readonly output: string;
  readonly reasoning: string;
  readonly attempt: number;
  readonly account: Account;
  /**
   * Whether the output is copied from another run, so that `step-reused` must be emitted. Otherwise this run already contains
   * the output.
   */
  readonly reused: boolean;
  /** The worker that wrote the output. Absent: the step's worker in the pool. */
  readonly worker?: PoolWorker;
  /** As in `StepRun`. Absent: none. */
  readonly verdicts?: StepRun['verdicts'];
  readonly settled?: StepRun['settled'];
}

/** A step without an output that a finished step has gone on without, so it is not called again. See `leaveOutFailed`. */
export interface LostStep {
  readonly index: number;
  readonly step: Step;
  /** `null`: the step was skipped. */
  readonly fault: Fault | null;
  /** For skipped steps: see `StepRunner.because`. */
  readonly because: number | null;
}

/** A finished round. */
export interface PlayedRound {
  readonly workflow: Workflow;
  /** Output of each step. `null` if a step has no output. */
  readonly outputs: readonly (string | null)[];
  /** Index of the step whose output is the answer if the run ends with this round. `null` if no step can give the answer. */
  readonly answer: number | null;
}

/** The round to continue with. */
export interface OpenRound {
  readonly round: number;
  /** Whether `round-started` has been emitted. */
  readonly begun: boolean;
  /** The finished plan. `null`: there is none yet. */
  readonly workflow: Workflow | null;
  /** Candidates among which the user has to choose. Empty if no choice is pending. */
  readonly candidates: readonly Candidate[];
  /** Whether the finished plan needs no approval, because the user approved it, or it is part of a fork. */
  readonly approved: boolean;
  /**
   * Maximum number of steps of the finished plan or of the candidates. `null`: the limit of the current settings applies,
   * because the round belongs to a fork, or has neither a plan nor candidates yet.
   */
  readonly maxSteps: number | null;
  readonly kept: readonly KeptStep[];
  /** Absent: none. */
  readonly lost?: readonly LostStep[];
  /** For each step, the number of its next attempt. Absent: 0. */
  readonly nextAttempts: readonly number[];
}

export interface Opening {
  readonly snapshot: RunSnapshot;
  readonly segment: number;
  readonly firstSeq: number;
  readonly spent: { readonly calls: number; readonly tokens: number; readonly usd: number };
  /** Events to emit first. */
  readonly events: readonly EventBody[];
  readonly played: readonly PlayedRound[];
  /** `null`: the last round gave an answer or kept an earlier one, so only the run's last event is missing. */
  readonly next: OpenRound | null;
  /** For a resumed run that the user had ended early. `next` is then the round that combines the finished steps, if it is wanted. */
  readonly early?: EarlyEnd;
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

/** The `run-started` event of a new run or a fork. */
export function runStarted({ start }: ExecuteRequest, parent = start.parent): EventBody {
  return { type: 'run-started', schema: SCHEMA, ...start, ...(parent ? { parent } : {}) };
}

/** Opens a new run. */
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

/**
 * Index of the last step with an output. `null` if there is no such step. A step for the Conductor (recursion) has an output only if
 * it was settled.
 */
export function answerOf(outputs: readonly (string | null)[]): number | null {
  const found = outputs.findLastIndex((output) => output !== null);
  return found === -1 ? null : found;
}
