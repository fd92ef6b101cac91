/**
 * @file The state of a run, folded from its events. It is immutable. A run that is resumed continues in a new segment. Times are
 * active time in ms unless stated otherwise. Active time is the monotonic time of all segments together. It includes neither the
 * time between segments nor the time in which the run waits for a decision of the user.
 */
import type { AloneAnswer, PairVote } from './pair';
import type { AnswerComparison } from './answer-comparison';
import type { BatchReference } from './batch-reference';
import type { CandidateScore, PlanCorrection, PlanPolicy, PlanSource, StepChoice } from '../workflow/conductor';
import type { ConductorInfo } from '../workflow/conductor-info';
import type { Annotation, EarlyEnd, HeldFor, Parent, RoundOutcome, StepKey } from './events';
import type { CapName, RaisedCaps, RunSettings } from './settings';
import type { Fault } from '../fault';
import type { EngineSpeed } from '../model/engine';
import type { FinishReason, PromptMessage, Sampling, Usage } from '../model/message';
import type { Cost, Judged } from './judge-call';
import type { PoolWorker, WaitingFor } from '../worker/worker';
import type { Settlement, StepVerdict } from '../workflow/verdict';
import type { PlanProblem, Step, Workflow } from '../workflow/workflow';

export type AttemptStatus = 'running' | 'retried' | 'finished' | 'failed' | 'cancelled' | 'discarded' | 'interrupted';

/** Why a call waits before it is sent. */
export interface Wait {
  readonly for: WaitingFor;
  /** When the wait was reported. */
  readonly since: number;
  /** When the wait is expected to end. `null`: unknown. */
  readonly until: number | null;
}

/** One attempt at a step, which is one call to its worker. */
export interface Attempt {
  readonly attempt: number;
  readonly status: AttemptStatus;
  readonly workerId: string;
  /** The worker as configured at the call. A resumed run may have changed the worker since. `null` in damaged runs. */
  readonly worker: PoolWorker | null;
  readonly messages: readonly PromptMessage[];
  readonly sha256: string;
  readonly startedAt: number;
  /** Why the call has not been sent yet. `null` once it has been sent. */
  readonly wait: Wait | null;
  /** The last reason why the call waited before it was sent. Absent: it was sent at once. */
  readonly waitedFor?: WaitingFor;
  /** When the call was sent to its worker. `null` while the call waits, and if the call ended while it waited. */
  readonly leftAt: number | null;
  /** When the next attempt starts, if this attempt failed and is retried. Otherwise `null`. */
  readonly retryAt: number | null;
  readonly firstTokenAt: number | null;
  readonly endedAt: number | null;
  /** The text so far while the call runs, then the final text. */
  readonly output: string;
  readonly reasoning: string;
  readonly usage: Usage | null;
  readonly cost: number | null;
  /** Whether the provider reported the cost. */
  readonly billed: boolean;
  /** The output limit of the call in tokens, if a budget lowered it. `null`: it was not lowered, or the call is in progress. */
  readonly outputLimit: number | null;
  readonly finishReason: FinishReason;
  readonly fault: Fault | null;
}

export type StepStatus =
  | 'planned'
  | 'queued'
  | 'running'
  | 'finished'
  | 'failed'
  | 'skipped'
  | 'settled'
  | 'reused'
  | 'discarded'
  | 'cancelled'
  | 'interrupted'
  /** The worker of the step is the Conductor, so another round followed. Only for the last step of a round. */
  | 'recursed';

export interface StepRun {
  /** 0-based index in its workflow. */
  readonly index: number;
  readonly step: Step;
  readonly status: StepStatus;
  /** When the step became known: when the Conductor declared it final, or when the plan was finished or edited. */
  readonly knownAt: number;
  readonly queuedAt: number | null;
  readonly attempts: readonly Attempt[];
  /** The output that later steps see. `null` until there is an output. */
  readonly output: string | null;
  /** For reused steps: the reasoning before the output. Empty for other steps, because their attempts hold it. */
  readonly reasoning: string;
  /** For reused steps: the worker that wrote the output. Absent: this worker has the same setup in this run's pool. */
  readonly writtenBy?: PoolWorker;
  /** What a finished check says about the answers that it saw. Absent: the step is no check, or was not asked for verdicts. */
  readonly verdicts?: readonly StepVerdict[];
  /** For settled steps: why, and when. Absent: the step was not settled. */
  readonly settled?: Settlement & { readonly at: number };
  /**
   * For skipped steps: the index of an earlier step that this step would have seen and that has no output.
   * For the Conductor's own step, `because` is that step's own index: the Conductor asked for another round,
   * but no other round follows.
   */
  readonly because: number | null;
  /** For failed steps: the reason, whether or not a call was sent. */
  readonly fault: Fault | null;
}

/**
 * The worker of a step, as configured for the step's latest call or for its reused output. If neither setup is
 * stored, returns the worker in the run's current pool.
 */
export function workerOf({ pool }: Pick<Run, 'pool'>, step: StepRun): PoolWorker | undefined {
  return step.attempts.at(-1)?.worker ?? step.writtenBy ?? pool[step.step.worker];
}

/** The steps that a step would see, but that have no output. A finished step with such steps has gone on without them. */
export function missingFrom(steps: readonly StepRun[], { access }: Step): readonly number[] {
  return access.filter((seen) => (steps[seen]?.output ?? null) === null);
}

/** The failed or skipped steps that finished steps of a run have gone on without, as keys. See `leaveOutFailed`. */
export function leftOutSteps({ rounds }: Pick<Run, 'rounds'>): readonly Omit<StepKey, 'attempt'>[] {
  return rounds.flatMap(({ round, steps }) => {
    const missing = steps.flatMap((step) => (step.output === null ? [] : missingFrom(steps, step.step)));
    return [...new Set(missing)].toSorted((one, other) => one - other).map((step) => ({ round, step }));
  });
}

/** Number of steps in all earlier rounds. Step numbers continue from round to round. */
export function stepsBefore({ rounds }: Pick<Run, 'rounds'>, round: number): number {
  return rounds.slice(0, round).reduce((sum, { steps }) => sum + steps.length, 0);
}

export type PlanStatus = 'writing' | 'finished' | 'failed' | 'interrupted' | 'cancelled';

export interface PlanCandidate {
  readonly candidate: number;
  readonly workflow: Workflow | null;
  readonly problem: PlanProblem | null;
  /** Set if the candidate has no workflow because of a fault. */
  readonly fault: Fault | null;
  readonly text: string;
  readonly thought: string;
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly finishReason: FinishReason;
  /** The speed of the generation, for plans by a local engine. Otherwise `null`. */
  readonly speed: EngineSpeed | null;
  /** Natural logarithm of the workflow's probability under the Conductor's own policy. `null` if unknown. */
  readonly logProbability: number | null;
  /**
   * The trained policy's probability of the candidate's skeleton, if the policy ranked the candidate.
   * Otherwise `null`.
   */
  readonly score: CandidateScore | null;
  /** Why each step would go to its worker, if the Conductor can give reasons. */
  readonly choices: readonly StepChoice[] | null;
  /** When the call for this candidate ended. */
  readonly endedAt: number;
}

export interface PlanRetry {
  readonly problem: PlanProblem | null;
  readonly fault: Fault | null;
  readonly text: string;
  /** The usage and cost of the failed call. Both are `null` if a candidate has already recorded them. */
  readonly usage: Usage | null;
  readonly cost: number | null;
  /** When the failed call ended. */
  readonly endedAt: number;
  readonly next: 'stricter' | 'fallback';
  /** The request for a correction, which is added to the prompt of the retry. `null`: none, or a run of an older version. */
  readonly correction: PlanCorrection | null;
  /** The output limit of the failed call, in tokens. `null`: unknown. */
  readonly maxTokens: number | null;
}

export interface Plan {
  readonly status: PlanStatus;
  /** Some of the settings that a resumed run may change, with their values at the time of planning. */
  readonly plannedUnder: Pick<RunSettings, 'pool' | 'caps' | 'maxSteps' | 'candidates'>;
  readonly conductor: ConductorInfo;
  readonly messages: readonly PromptMessage[];
  readonly engine: string | null;
  readonly sampling: Sampling | null;
  readonly grammar: { readonly hash: string; readonly text: string } | null;
  /** The trained policy's part in the plan, if the policy and a model plan together. */
  readonly policy: PlanPolicy | null;
  readonly startedAt: number;
  /**
   * Why the call for the plan has not been sent yet. `null` once the call has been sent. If the run ends while the
   * call waits, the field stays set.
   */
  readonly wait: Wait | null;
  readonly firstTokenAt: number | null;
  readonly endedAt: number | null;
  readonly text: string;
  readonly reasoning: string;
  readonly thought: string;
  /** The workflow to run, including the user's edits. */
  readonly workflow: Workflow | null;
  /** The workflow before any edits, which `source` and `text` describe. */
  readonly proposed: Workflow | null;
  /** Whether `workflow` differs from `proposed`. */
  readonly edited: boolean;
  /** Sequence number of the last event that edited the plan. `null`: the plan was never edited. */
  readonly editSeq: number | null;
  /** The decision for which the run waits. `null` if the run does not wait for the user. */
  readonly heldFor: HeldFor | null;
  /** Whether the user approved the plan. */
  readonly approved: boolean;
  readonly source: PlanSource | null;
  readonly retries: readonly PlanRetry[];
  readonly candidates: readonly PlanCandidate[];
  readonly chosen: number | null;
  /** Who chose the candidate. `null` before the choice. */
  readonly chosenBy: 'person' | 'vote' | 'rank' | null;
  /**
   * Whether all candidates are complete and the user was asked to choose, but the plan is not finished. In
   * this state, a resumed run asks the user again and makes no call for the plan.
   */
  readonly isChoiceOpen: boolean;
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly billed: boolean;
  readonly finishReason: FinishReason;
  /** The speed of the generation, for plans by a local engine. Otherwise `null`. */
  readonly speed: EngineSpeed | null;
  /** Natural logarithm of the probability of `proposed` under the Conductor's own policy. `null` if unknown. */
  readonly logProbability: number | null;
  readonly problem: PlanProblem | null;
  readonly fault: Fault | null;
  /** Why each step of `proposed` went to its worker, if the Conductor could give reasons. */
  readonly choices: readonly StepChoice[] | null;
}

export interface Round {
  readonly round: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: RoundOutcome | null;
  readonly plan: Plan | null;
  /**
   * Plans that made model calls and were then replaced by another plan. The cost of a model call that was interrupted is
   * unknown.
   */
  readonly lostPlans: readonly Plan[];
  /** The steps that are known so far, in order. */
  readonly steps: readonly StepRun[];
  /** Called steps that the round's plan no longer contains, because the plan was replaced or edited after the calls. */
  readonly discarded: readonly StepRun[];
}

export type RunStatus = 'running' | 'finished' | 'failed' | 'cancelled' | 'interrupted';

export interface Segment {
  /** Wall clock at the first event, ms since the epoch. */
  readonly at: number;
  /** The active time of an event in this segment is its `elapsed` plus this offset, in ms. */
  readonly offset: number;
}

export interface Spent {
  /** Number of sent calls for steps. Calls that still wait to be sent, and calls that a rate limit rejected, are not counted. */
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** US dollars of all calls of known cost, including the Conductor's. */
  readonly usd: number;
  /** The part of `usd` reported by providers. The rest is calculated from tokens and price. */
  readonly billed: number;
  /** Number of ended calls of unknown cost. */
  readonly unpriced: number;
  /** Whether the sum includes token counts that Podium estimated. */
  readonly estimated: boolean;
}

export interface Grade {
  /** Whether the answer is correct. `null`: the grade was withdrawn. */
  readonly correct: boolean | null;
  readonly by: 'person' | 'grader';
  readonly detail: string;
  /** Set if the grade was imported. Imported grades count only if the user allows them. Absent: the grade was given here. */
  readonly imported?: true;
}

/**
 * The grade of a run, or `null` if worker history, plans and training must ignore it.
 * @param countsImported whether imported grades count
 */
export function countedGrade({ grade, early }: Pick<Run, 'grade' | 'early'>, countsImported: boolean): Grade | null {
  return early || (grade?.imported && !countsImported) ? null : grade;
}

/** Whether the user gave the grade in this browser. */
export function isOwnGrade(grade: Grade | null | undefined): boolean {
  return grade?.by === 'person' && !grade.imported;
}

export interface Run extends RunSettings {
  readonly id: string;
  readonly schema: number;
  readonly status: RunStatus;
  readonly parent: Parent | null;
  /** The batch that the run belongs to. Forks belong to no batch. */
  readonly batch: BatchReference | null;
  /** Other batches that have resumed the run, in order. Each entry has the run's cost up to that resumption. */
  readonly resumedFor: readonly (Cost & { readonly batchId: string })[];
  /** Whether the run is marked as confidential, so that it must not leave this browser. */
  readonly isConfidential: boolean;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly segments: readonly Segment[];
  /** Active time of the newest event. */
  readonly time: number;
  readonly rounds: readonly Round[];
  /** The step whose output is the answer, once the run has finished. */
  readonly answerKey: Omit<StepKey, 'attempt'> | null;
  readonly answer: string | null;
  /**
   * Set if the user ended the run early, in the round `during`. Such a run counts for no statistics of workers and plans, because not
   * all of its plan was carried out.
   */
  readonly early: (EarlyEnd & { readonly during: number }) | null;
  readonly spent: Spent;
  readonly fault: Fault | null;
  readonly capReached: {
    readonly cap: CapName;
    readonly limit: number;
    readonly wanted: number;
    readonly day?: boolean;
  } | null;
  /** Caps that the user raised for this run. An import clears them, because a file may claim any caps. */
  readonly raised: RaisedCaps;
  /**
   * The newest grade that the user gave in this browser. If there is none, the newest other grade, which may
   * be imported.
   */
  readonly grade: Grade | null;
  /** Paid calls to judges, in order. `spent` does not include them. An import clears them, because a file may claim any calls. */
  readonly judged: readonly Judged[];
  /** Comparisons of answers by a worker, in order. `spent` includes them. */
  readonly compared: readonly AnswerComparison[];
  /** The answer of one worker alone, if the question was drawn (`alone`). `spent` includes its cost. `null`: none yet. */
  readonly aloneAnswer: AloneAnswer | null;
  /** How the user compared the two answers. `null`: not yet. */
  readonly vote: PairVote | null;
  readonly labels: readonly string[];
  readonly annotation: Annotation;
  /** Time of the import, ms since the epoch. `null` for a run created here. */
  readonly importedAt: number | null;
  readonly lastSeq: number;
  /** Number of stored events from a later version that this version can't interpret. */
  readonly unknownEvents: number;
}
