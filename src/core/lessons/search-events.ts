/**
 * @file The events of a search for lessons. A search is known only by its events, so that a search that was killed continues from them
 * and pays for nothing twice.
 */
import type { TaskSplit } from './task-split';

/** Everything that determines a search, apart from the answers of the models. */
export interface SearchPlan {
  readonly id: string;
  readonly seed: number;
  readonly split: TaskSplit;
  /** The lessons to start with. Empty: none. */
  readonly start: readonly string[];
  /** Number of training tasks for each reflection. */
  readonly minibatch: number;
  /** Maximum number of tokens of the lessons. */
  readonly lessonTokens: number;
  readonly caps: SearchCaps;
  readonly mode: ReflectionMode;
}

export interface SearchCaps {
  /** Maximum number of graded runs. The proof is not counted. */
  readonly runs: number;
  /** Maximum cost in US dollars. The proof is not counted. `null`: no cap. */
  readonly usd: number | null;
}

/**
 * - `rewrite`: each reflection writes all lessons anew, as in GEPA (arXiv 2507.19457)
 * - `edit`: each reflection adds, changes or deletes single lessons, as in Training-Free GRPO (arXiv 2510.08191)
 */
export const REFLECTION_MODES = ['rewrite', 'edit'] as const;
export type ReflectionMode = (typeof REFLECTION_MODES)[number];

/** The cost of a call or a run. */
export interface CallCost {
  /** US dollars, without calls of unknown cost. */
  readonly usd: number;
  /** Number of calls of unknown cost. */
  readonly unpriced: number;
  /** Number of calls. */
  readonly calls: number;
}

export interface GradedCall extends CallCost {
  /** From 0 to 1. `null`: the run has no verdict. */
  readonly score: number | null;
  /** What happened in the run, in words. Only for training tasks. */
  readonly feedback?: string;
}

/** How an iteration ended without a new candidate in the pool. */
export const LOST_OUTCOMES = ['perfect', 'refused', 'repeated', 'no-gain', 'hopeless'] as const;
export type LostOutcome = (typeof LOST_OUTCOMES)[number];

export type SearchEvent =
  | { readonly type: 'search-started'; readonly plan: SearchPlan }
  /** @property candidate index of the candidate. 0: the start */
  | ({ readonly type: 'run-graded'; readonly candidate: number; readonly task: string } & GradedCall)
  | {
      readonly type: 'iteration-started';
      readonly iteration: number;
      readonly parent: number;
      readonly minibatch: readonly string[];
    }
  | ({ readonly type: 'reflection-answered'; readonly iteration: number; readonly text: string } & CallCost)
  | {
      readonly type: 'candidate-proposed';
      readonly iteration: number;
      readonly parent: number;
      readonly lessons: readonly string[];
    }
  | {
      readonly type: 'iteration-ended';
      readonly iteration: number;
      readonly outcome: LostOutcome | 'accepted';
      /** Why the answer was refused, as a sentence. */
      readonly reason?: string;
    }
  /** No further iteration fits into the caps. */
  | { readonly type: 'search-ended' }
  | {
      readonly type: 'proof-started';
      readonly candidate: number;
      readonly tasks: readonly string[];
      readonly isUnseen: boolean;
      /** Set if the candidate is new: lessons that are proved again, without a search. */
      readonly lessons?: readonly string[];
    }
  /** The proof also runs the lessons without one of them, for each of them. */
  | { readonly type: 'ablation-started' }
  /** The user has changed the caps. If they are higher, a search that had ended goes on. */
  | { readonly type: 'caps-changed'; readonly caps: SearchCaps };
