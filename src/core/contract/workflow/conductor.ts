/** @file The Conductor interface. A Conductor turns a question and a pool of workers into plan events. */
import type { Fault } from '../fault';
import type { EngineSpeed } from '../model/engine';
import type { ChannelText } from '../model/channel-text';
import type { FinishReason, Message, PromptMessage, Sampling, Usage } from '../model/message';
import type { Domain } from '../worker/domain';
import type { Waiting } from '../worker/worker';
import type { ConductorInfo } from './conductor-info';
import type { PlanRequest } from './plan-request';
import type { PlanProblem, Role, Step, Workflow } from './workflow';

/**
 * The trained policy's part in a plan that a language model wrote. `skeleton`: the policy chose the skeleton (the steps
 * with their workers, roles and access), and the model wrote the subtasks. `ranking`: the model wrote whole workflows,
 * and the policy ranked them.
 */
export interface PlanPolicy {
  readonly part: 'skeleton' | 'ranking';
  /** Revision of the policy's weights. */
  readonly revision: string;
  /**
   * Natural logarithm of the probability of the policy's skeleton. Absent with `ranking`, or if the skeleton was changed
   * after the policy chose it.
   */
  readonly logProbability?: number;
}

/** How likely the trained policy is to choose the skeleton of a candidate plan. See `PlanPolicy`. */
export interface CandidateScore {
  /** Natural logarithm of the skeleton's probability. `null` if the policy could never choose this skeleton. */
  readonly logProbability: number | null;
  /** Number of policy choices that make up the skeleton. 0 if the policy could never choose this skeleton. */
  readonly choices: number;
  /** Why the policy could never choose the skeleton, as a sentence. */
  readonly reason?: string;
}

/**
 * Conductors that choose workers without giving reasons. `network`: the trained policy. `model`: a language model whose plans
 * the policy ranks.
 */
export const CHOOSERS = ['network', 'model'] as const;

/** Why a step went to its worker, as reported by the Conductor that chose the worker. */
export interface StepChoice {
  /**
   * Set if the Conductor chose the worker without giving reasons. Then the other fields only show what was known about the
   * worker. Absent: the other fields are the reasons.
   */
  readonly by?: (typeof CHOOSERS)[number];
  /**
   * The basis of the choice. `history`: graded runs. `strength`: declared or published figures. `order`: the order of the
   * pool, because nothing is known about the worker.
   */
  readonly basis: 'history' | 'strength' | 'order';
  /** The assumed role of a step that names no role itself. */
  readonly role?: Role;
  /** Expected success rate in the step's role, 0 to 1. */
  readonly expected: number;
  /** Number of the worker's graded runs. If the worker has graded runs in the step's role, only these count. */
  readonly graded: number;
  /** Number of these runs with a correct answer. */
  readonly right: number;
  /** Whether only the runs in the step's role were counted. */
  readonly inRole: boolean;
  /** The graded runs with the greatest weights, greatest first. */
  readonly runs: readonly CountedRun[];
  /**
   * What is known for the question's domain: the worker's strength as declared by the user, or the published figures of
   * the worker's model. Absent: neither is known.
   */
  readonly prior?: ChoicePrior;
  /** Label of the sentence model that measured the similarity of questions. Absent: similarity was measured by spelling. */
  readonly nearBy?: string;
}

/** What is known about a worker before any graded run. */
export interface ChoicePrior {
  readonly by: 'declared' | 'published';
  readonly domain: Domain;
  /** Ability from 0 to 1. */
  readonly ability: number;
  /** Name of the model that the published figures describe. */
  readonly label?: string;
  /** Address of the page that states the published figures. */
  readonly source?: string;
}

/** A graded run that counted for the choice of a worker. */
export interface CountedRun {
  readonly runId: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly right: boolean;
  /** 1 for the same question, less for less similar questions. */
  readonly weight: number;
}

/**
 * Who wrote the executed plan. `conductor`: the chosen Conductor. `fallback`: a built-in Conductor, after the
 * chosen one failed or could not be loaded. `person`: the user.
 */
export type PlanSource = 'conductor' | 'fallback' | 'person';

/** The message that asks a model for another plan, after the model wrote no valid workflow. */
export interface PlanCorrection {
  /** Whether the retry shows the model the text of its failed attempt. */
  readonly shown: boolean;
  readonly text: string;
}

/**
 * The correction as messages to append to the prompt.
 * @param lost the text of the failed attempt
 */
export function correctionMessages(lost: string, { shown, text }: PlanCorrection): Message[] {
  const shownPlan: Message[] = shown ? [{ role: 'assistant', content: lost }] : [];
  return [...shownPlan, { role: 'user', content: text }];
}

/**
 * The events of a Conductor. The first is `plan-started`. Then come waits, deltas, known steps, retries,
 * candidates and the choice of a candidate. `plan-retried` invalidates the text and the known steps before
 * it, but not the candidates before it. The last event is `plan-finished` or `plan-failed`.
 *
 * Exception: if the user chooses among the candidates, and any candidate has a workflow, the Conductor's
 * events end after the candidates. Then the executor asks the user, and adds `plan-chosen` and
 * `plan-finished`.
 *
 * The executor adds run, round and time to each event before it stores the event.
 */
export type PlanEvent =
  | {
      readonly type: 'plan-started';
      readonly conductor: ConductorInfo;
      /** The messages to the language model. Empty for Conductors without a language model. */
      readonly messages: readonly PromptMessage[];
      readonly engine?: string;
      readonly revision?: string;
      readonly sampling?: Sampling;
      /** The enforced grammar, and its hash. Absent if no grammar is enforced. */
      readonly grammar?: { readonly hash: string; readonly text: string };
      /**
       * The trained policy's part in the plan. Absent for plans that don't combine the policy with a language
       * model.
       */
      readonly policy?: PlanPolicy;
    }
  /**
   * The call for the plan waits. `for: null`: the wait is over. The call is sent when the consumer requests
   * the next event.
   */
  | ({ readonly type: 'plan-waiting' } & Waiting)
  /** `relabels`: the content before this delta turned out to be reasoning. Absent: it did not. */
  | ({ readonly type: 'plan-delta'; readonly length?: number } & ChannelText)
  /** The step's worker, subtask and access can no longer change, so the step may start before the plan is complete. */
  | { readonly type: 'plan-step-known'; readonly index: number; readonly step: Step }
  | {
      readonly type: 'plan-retried';
      readonly problem: PlanProblem | null;
      readonly fault: Fault | null;
      /** The text of the failed attempt. */
      readonly text: string;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      /**
       * `stricter`: the same Conductor plans again. If its answer was invalid, the new prompt states the error. `fallback`: a
       * built-in Conductor plans instead.
       */
      readonly next: 'stricter' | 'fallback';
      /** Messages added to the model's prompt from now on. Absent: no messages. */
      readonly correction?: PlanCorrection;
      /** The output limit from now on, in tokens. Absent: unchanged. */
      readonly maxTokens?: number;
    }
  | {
      readonly type: 'plan-candidate';
      readonly candidate: number;
      readonly workflow: Workflow | null;
      readonly problem: PlanProblem | null;
      /**
       * Set if the candidate has no workflow because of a fault. Runs of older versions record such a fault
       * as `problem`.
       */
      readonly fault?: Fault;
      readonly text: string;
      /** The usage of this candidate's call. With several candidates, `plan-finished` has no usage of its own. */
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      /**
       * The candidate's thought. If this candidate is chosen, `plan-finished` has the same thought. Runs of
       * older versions lack `thought`, `finishReason` and `speed`.
       */
      readonly thought?: string;
      readonly finishReason?: FinishReason;
      readonly speed?: EngineSpeed;
      /** As in `plan-finished`. */
      readonly logProbability?: number;
      /** The policy's probability, for candidates that the trained policy ranked. */
      readonly score?: CandidateScore;
      /** As in `plan-finished`. */
      readonly choices?: readonly StepChoice[];
    }
  /** A candidate was chosen. `rank`: it has the best score of the trained policy. `vote`: it has the most common skeleton. */
  | { readonly type: 'plan-chosen'; readonly candidate: number; readonly by: 'person' | 'vote' | 'rank' }
  | {
      readonly type: 'plan-finished';
      readonly workflow: Workflow;
      readonly thought: string;
      /** The whole answer of a language model. `''` for Conductors without a language model. */
      readonly text: string;
      readonly source: PlanSource;
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly billed?: boolean;
      readonly finishReason: FinishReason;
      /** The speed of the attempt that became the plan, as measured by a local engine. */
      readonly speed?: EngineSpeed;
      /** Natural logarithm of the probability of this workflow under the Conductor's own policy. Absent if unknown. */
      readonly logProbability?: number;
      /** Why each step went to its worker, one entry per step. Absent if the Conductor doesn't report this. */
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

/** Writes workflows for questions. */
export interface Conductor {
  readonly info: ConductorInfo;
  /** Throws only on abort. Other failures are `plan-failed` events. */
  propose(request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent>;
}
