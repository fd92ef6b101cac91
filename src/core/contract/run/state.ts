/**
 * @file The state of a run, as its events fold to it. Immutable: every fold shares what did not change.
 * `time` is active time in ms: the monotonic time of all segments laid end to end, so a run that was interrupted for a
 * day does not show a day.
 */
import type { CandidateScore, PlanCorrection, PlanPolicy, PlanSource, StepChoice } from '../workflow/conductor';
import type { ConductorInfo } from '../workflow/conductor-info';
import type { CapName, HeldFor, Parent, RoundOutcome, StepKey } from './events';
import type { RunSettings } from './settings';
import type { Fault } from '../fault';
import type { EngineSpeed } from '../model/engine';
import type { FinishReason, PromptMessage, Sampling, Usage } from '../model/message';
import type { PoolWorker, WaitingFor } from '../worker/worker';
import type { PlanProblem, Step, Workflow } from '../workflow/workflow';

export type AttemptStatus = 'running' | 'retried' | 'finished' | 'failed' | 'cancelled' | 'discarded' | 'interrupted';

/** What holds a call back. While it stands the call has certainly not left. */
export interface Wait {
  readonly for: WaitingFor;
  /** Active time, ms, when it was said, and when it is expected to be over. */
  readonly since: number;
  readonly until: number | null;
}

/** One call. */
export interface Attempt {
  readonly attempt: number;
  readonly status: AttemptStatus;
  readonly workerId: string;
  /** Who was called, as set up then: a resumed run may go on with another model. `null` in damaged runs. */
  readonly worker: PoolWorker | null;
  readonly messages: readonly PromptMessage[];
  readonly sha256: string;
  readonly startedAt: number;
  /** Why it has not left yet; `null` once it has. */
  readonly wait: Wait | null;
  /** Whether it went out to its worker. One that ended while it waited never did. */
  readonly left: boolean;
  readonly firstTokenAt: number | null;
  readonly endedAt: number | null;
  /** Streaming text while it runs; what there was at the end. */
  readonly output: string;
  readonly reasoning: string;
  readonly usage: Usage | null;
  readonly cost: number | null;
  /** Whether the cost is the provider's own figure. */
  readonly billed: boolean;
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
  | 'reused'
  | 'discarded'
  | 'cancelled'
  | 'interrupted'
  /** The last step handed over to the Conductor's next round. */
  | 'recursed';

export interface StepRun {
  /** 0-based place in its workflow. */
  readonly index: number;
  readonly step: Step;
  readonly status: StepStatus;
  /** When the Conductor said it was final, or the plan ended. */
  readonly knownAt: number;
  readonly queuedAt: number | null;
  readonly attempts: readonly Attempt[];
  /** The output that later steps see; `null` until there is one. */
  readonly output: string | null;
  /** For reused steps: what was thought before the output. Empty for all others, whose attempts hold it. */
  readonly reasoning: string;
  /** For reused steps: who wrote the output, where that is not the worker of the pool. */
  readonly writtenBy?: PoolWorker;
  /** For skipped steps: the step that had no output; its own index where a cap forbids the round it would have begun. */
  readonly because: number | null;
  /** For failed steps: why, whether or not a call had left. */
  readonly fault: Fault | null;
}

/** Who plays a step: as set up when it was called, else as the pool has it now. */
export function workerOf({ pool }: Pick<Run, 'pool'>, step: StepRun): PoolWorker | undefined {
  return step.attempts.at(-1)?.worker ?? step.writtenBy ?? pool[step.step.worker];
}

export type PlanStatus = 'writing' | 'finished' | 'failed' | 'interrupted' | 'cancelled';

export interface PlanCandidate {
  readonly candidate: number;
  readonly workflow: Workflow | null;
  readonly problem: PlanProblem | null;
  /** Why it did not come; `null` where it did. */
  readonly fault: Fault | null;
  readonly text: string;
  readonly thought: string;
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly finishReason: FinishReason;
  /** Where a local engine wrote it. */
  readonly speed: EngineSpeed | null;
  /** Natural logarithm of its probability under the Conductor's own policy; `null` where that cannot tell. */
  readonly logProbability: number | null;
  /** Where the trained policy ranks them. */
  readonly score: CandidateScore | null;
  /** Why each step would go to its worker, where the Conductor could say. */
  readonly choices: readonly StepChoice[] | null;
}

export interface PlanRetry {
  readonly problem: PlanProblem | null;
  readonly fault: Fault | null;
  readonly text: string;
  readonly next: 'stricter' | 'fallback';
  /** What the model was told beside its prompt from then on; `null`: nothing new, or an older run. */
  readonly correction: PlanCorrection | null;
}

export interface Plan {
  readonly status: PlanStatus;
  /** The settings it was made under, as far as a resumed run may have others. */
  readonly plannedUnder: Pick<RunSettings, 'pool' | 'caps' | 'maxSteps' | 'candidates'>;
  readonly conductor: ConductorInfo;
  readonly messages: readonly PromptMessage[];
  readonly engine: string | null;
  readonly sampling: Sampling | null;
  readonly grammar: { readonly hash: string; readonly text: string } | null;
  /** What the trained policy has in it, where it works with a model. */
  readonly policy: PlanPolicy | null;
  readonly startedAt: number;
  /** Why its call has not left yet; `null` once it has. It stays where the plan ended before its call left. */
  readonly wait: Wait | null;
  readonly firstTokenAt: number | null;
  readonly endedAt: number | null;
  readonly text: string;
  readonly reasoning: string;
  readonly thought: string;
  /** The workflow that runs, as a person may have edited it. */
  readonly workflow: Workflow | null;
  /** The workflow as it was before anyone edited it: what `source` and `text` speak of. */
  readonly proposed: Workflow | null;
  /** Whether `workflow` asks for something else than `proposed`. */
  readonly edited: boolean;
  /** Number of the event that edited it last; `null`: nobody has. */
  readonly editSeq: number | null;
  /** What the run waits for a person for; `null` where it does not wait, or not any more. */
  readonly heldFor: HeldFor | null;
  /** Whether a person was asked and let it run. */
  readonly approved: boolean;
  readonly source: PlanSource | null;
  readonly retries: readonly PlanRetry[];
  readonly candidates: readonly PlanCandidate[];
  readonly chosen: number | null;
  /** Who chose it; `null` while nobody has. */
  readonly chosenBy: 'person' | 'vote' | 'rank' | null;
  /** All candidates are there and a person was asked: a run that is resumed asks that again, and no model. */
  readonly isChoiceOpen: boolean;
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly billed: boolean;
  readonly finishReason: FinishReason;
  /** Where a local engine wrote it. */
  readonly speed: EngineSpeed | null;
  /** Of what it proposed: the natural logarithm of its probability under its own policy; `null` where it cannot tell. */
  readonly logProbability: number | null;
  readonly problem: PlanProblem | null;
  readonly fault: Fault | null;
  /** Why each step went to its worker, where the Conductor could say: of the steps in `proposed`. */
  readonly choices: readonly StepChoice[] | null;
}

export interface Round {
  readonly round: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: RoundOutcome | null;
  readonly plan: Plan | null;
  /** Plans that were cut off while their model was asked, before it was asked anew: what they came to is a guess. */
  readonly lostPlans: readonly Plan[];
  /** One for each step known so far. */
  readonly steps: readonly StepRun[];
  /** Attempts of steps whose plan was lost. */
  readonly discarded: readonly StepRun[];
}

export type RunStatus = 'running' | 'finished' | 'failed' | 'cancelled' | 'interrupted';

export interface Segment {
  /** Wall clock of its first event, ms since the epoch. */
  readonly at: number;
  /** What to add to `elapsed` to get `time`. */
  readonly offset: number;
}

export interface Spent {
  /** Calls of steps that left; one that waits for a limit, money or its turn has not. */
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** US dollars of all calls whose cost is known, the Conductor's included. */
  readonly usd: number;
  /** The part of `usd` that is the providers' own figures; the rest is tokens times price. */
  readonly billed: number;
  /** Calls that ended with an unknown cost. */
  readonly unpriced: number;
  /** Whether any token count in the sum is our own estimate. */
  readonly estimated: boolean;
}

export interface Grade {
  /** `null`: the grade was taken back. */
  readonly correct: boolean | null;
  readonly by: 'person' | 'grader';
  readonly detail: string;
  /** It came with a file, so it counts only where the user wants that. Absent: it was given here. */
  readonly imported?: true;
}

/**
 * The grade of a run as worker history, plans and training may use it: one that came with a file counts only where the user
 * wants that, and one given here afterwards always does.
 * @param countsImported whether the user wants imported grades to count
 */
export function countedGrade({ grade }: Pick<Run, 'grade'>, countsImported: boolean): Grade | null {
  return grade?.imported && !countsImported ? null : grade;
}

export interface Run extends RunSettings {
  readonly id: string;
  readonly schema: number;
  readonly status: RunStatus;
  readonly parent: Parent | null;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly segments: readonly Segment[];
  /** Active time of the newest event. */
  readonly time: number;
  readonly rounds: readonly Round[];
  /** The step whose output is the answer, once the run has finished. */
  readonly answerKey: Omit<StepKey, 'attempt'> | null;
  readonly answer: string | null;
  readonly spent: Spent;
  readonly fault: Fault | null;
  readonly capReached: {
    readonly cap: CapName;
    readonly limit: number;
    readonly wanted: number;
    readonly day?: boolean;
  } | null;
  /** The newest grade by a person, else by a grader. */
  readonly grade: Grade | null;
  readonly labels: readonly string[];
  /** When it came in from a file, ms since the epoch; `null` for a run that was made here. */
  readonly importedAt: number | null;
  readonly lastSeq: number;
  /** Events of a later version that were kept but not understood. */
  readonly unknownEvents: number;
}
