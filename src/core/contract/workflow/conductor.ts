/**
 * @file Conductors: question and pool in, plan events out.
 */
import type { Fault } from '../fault';
import type { EngineSpeed } from '../model/engine';
import type { Channel, FinishReason, Message, PromptMessage, Sampling, Usage } from '../model/message';
import type { Domain } from '../worker/domain';
import type { Waiting } from '../worker/worker';
import type { ConductorInfo } from './conductor-info';
import type { PlanRequest } from './plan-request';
import type { PlanProblem, Role, Step, Workflow } from './workflow';

/**
 * What the trained policy gave to a plan that a language model wrote. `skeleton`: steps, workers, roles and who sees whom; the
 * model wrote the subtasks. `ranking`: the model wrote whole workflows, and the policy's rank chooses among them.
 */
export interface PlanPolicy {
  readonly part: 'skeleton' | 'ranking';
  /** The weights. */
  readonly revision: string;
  /** Natural logarithm of the probability of the skeleton that was given; absent where it was changed after it was chosen. */
  readonly logProbability?: number;
}

/** How likely the trained policy finds the skeleton of a candidate. */
export interface CandidateScore {
  /** Natural logarithm of its probability; `null` where the policy could never write it. */
  readonly logProbability: number | null;
  /** How many choices make it, each with a probability of its own; 0 where there are none. */
  readonly choices: number;
  /** Why the policy could not write it, as a sentence. */
  readonly reason?: string;
}

/**
 * Who chose a step's worker, if that gives no reasons: the trained policy, or a language model whose plans the policy ranks.
 */
export const CHOOSERS = ['network', 'model'] as const;

/** Why a step went to its worker, as the Conductor that chose it knows. */
export interface StepChoice {
  /** What follows is only what was known of the worker. Absent: just this decided. */
  readonly by?: (typeof CHOOSERS)[number];
  /** `history`: by graded runs. `strength`: by what is declared or published. `order`: by its place in the pool, as nothing is known. */
  readonly basis: 'history' | 'strength' | 'order';
  /** What the step was taken to be for, where it names no role itself. */
  readonly role?: Role;
  /** Expected rate of success in the step's role, 0 to 1. */
  readonly expected: number;
  /** The worker's graded runs in that role, or in any role where there are none in that one; and how many were right. */
  readonly graded: number;
  readonly right: number;
  readonly inRole: boolean;
  /** Those that counted most, the weightiest first. `weight`: 1 for the same question, less for questions less like it. */
  readonly runs: readonly CountedRun[];
  /** What the user declared of the worker, or what is published of its model, for the question's domain. Absent: nothing. */
  readonly prior?: ChoicePrior;
  /** Label of the sentence model that told how alike the questions are. Absent: their spelling did. */
  readonly nearBy?: string;
}

/** What a choice went by before any graded run. */
export interface ChoicePrior {
  readonly by: 'declared' | 'published';
  readonly domain: Domain;
  /** From 0 to 1. */
  readonly ability: number;
  /** The model that the published figures are of, and the page that states them. */
  readonly label?: string;
  readonly source?: string;
}

export interface CountedRun {
  readonly runId: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly right: boolean;
  readonly weight: number;
}

/** Where a plan that runs came from. `fallback`: a built-in Conductor, after the chosen one failed or could not be loaded. */
export type PlanSource = 'conductor' | 'fallback' | 'person';

/** What a model is told that wrote no workflow, when it is asked again. */
export interface PlanCorrection {
  /** Whether it is shown what it wrote: the `text` of the lost attempt. */
  readonly shown: boolean;
  readonly text: string;
}

/** A correction as it is sent behind the prompt. @param lost what the lost attempt wrote */
export function correctionMessages(lost: string, { shown, text }: PlanCorrection): Message[] {
  const said: Message[] = shown ? [{ role: 'assistant', content: lost }] : [];
  return [...said, { role: 'user', content: text }];
}

/**
 * What a Conductor says, in order: one `plan-started`; then deltas, known steps, retries and candidates; then exactly one
 * `plan-finished` or `plan-failed`. Where a person is to choose it ends after its candidates instead, if any of them is a
 * workflow: the executor asks the person and finishes the plan. It adds run, round and time to each and passes it on.
 * After `plan-retried` everything said before it is void: known steps start anew.
 */
export type PlanEvent =
  | {
      readonly type: 'plan-started';
      readonly conductor: ConductorInfo;
      /** What a language model was asked; empty for Conductors that ask none. */
      readonly messages: readonly PromptMessage[];
      readonly engine?: string;
      readonly revision?: string;
      readonly sampling?: Sampling;
      /** The grammar's text where one is enforced, by hash and text, else absent. */
      readonly grammar?: { readonly hash: string; readonly text: string };
      /** What the trained policy has in it, where it works with a model. */
      readonly policy?: PlanPolicy;
    }
  /** The call for the plan has not left yet; with `for: null` it leaves now, and not before that has been taken. */
  | ({ readonly type: 'plan-waiting' } & Waiting)
  | { readonly type: 'plan-delta'; readonly channel: Channel; readonly text: string; readonly length?: number }
  /** The step's subtask and access are final: it may start though the plan goes on. Only said where that is certain. */
  | { readonly type: 'plan-step-known'; readonly index: number; readonly step: Step }
  | {
      readonly type: 'plan-retried';
      readonly problem: PlanProblem | null;
      readonly fault: Fault | null;
      /** What the lost attempt wrote. */
      readonly text: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      /** `stricter`: the same Conductor again, told what was wrong. `fallback`: a built-in one takes over. */
      readonly next: 'stricter' | 'fallback';
      /** What the model is told beside its prompt from now on. Absent: nothing new. */
      readonly correction?: PlanCorrection;
    }
  | {
      readonly type: 'plan-candidate';
      readonly candidate: number;
      readonly workflow: Workflow | null;
      readonly problem: PlanProblem | null;
      /** Why it did not come. Absent where it did, and in older runs, where such a fault stands as a problem. */
      readonly fault?: Fault;
      readonly text: string;
      /** Counted here: with several candidates `plan-finished` carries no usage of its own. */
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      /** What it takes to finish the plan with it, and how fast it was written. Absent in older runs. */
      readonly thought?: string;
      readonly finishReason?: FinishReason;
      readonly speed?: EngineSpeed;
      /** As in `plan-finished`. */
      readonly logProbability?: number;
      /** Where the trained policy ranks the candidates. */
      readonly score?: CandidateScore;
      /** As in `plan-finished`. */
      readonly choices?: readonly StepChoice[];
    }
  /** `rank`: it has the best score. */
  | { readonly type: 'plan-chosen'; readonly candidate: number; readonly by: 'person' | 'vote' | 'rank' }
  | {
      readonly type: 'plan-finished';
      readonly workflow: Workflow;
      readonly thought: string;
      /** The whole answer of a language model; `''` for Conductors without one. */
      readonly text: string;
      readonly source: PlanSource;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly finishReason: FinishReason;
      /** As a local engine measured the attempt that became the plan. */
      readonly speed?: EngineSpeed;
      /** Natural logarithm of the probability of this workflow under the Conductor's own policy. Absent where it cannot tell. */
      readonly logProbability?: number;
      /** Why each step went to its worker, one for each step, from Conductors that can say. */
      readonly choices?: readonly StepChoice[];
    }
  | {
      readonly type: 'plan-failed';
      readonly problem: PlanProblem | null;
      readonly fault: Fault;
      readonly text: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
    };

/** Writes workflows. */
export interface Conductor {
  readonly info: ConductorInfo;
  /** Never throws but for an abort: what goes wrong is a `plan-failed` event. */
  propose(request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent>;
}
