/** @file The format of `.rollouts.jsonl` files for GRPO trainers. Each line is one rollout: a Conductor's prompt, its completion and the reward. */
import type { Price } from '../../contract';
import { parseWorkflow, type ParsedWorkflow } from '../../conductor/parse';

/** The fields that identify the format and its version. */
export const ROLLOUT_HEADER = { format: 'podium-rollout', version: 1 } as const;

type Header = typeof ROLLOUT_HEADER;

export interface Rollout extends Header {
  /** A unique id: the id of the run, the round if it is not the first, and the name of the completion. */
  readonly id: string;
  /** The messages that were sent. For a Conductor that writes no text, the messages that a model would have received. */
  readonly prompt: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /**
   * The text that the Conductor wrote. For a Conductor that writes no text, its workflow in the format that models use.
   */
  readonly completion: string;
  readonly pool: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
    readonly model: string;
    readonly price: Price | null;
  }[];
  /**
   * 0 for an invalid workflow, 0.5 for a wrong answer, and 1 for a right answer. If the plan requested another
   * round, the reward of that round is mixed in. `null`: unknown, for example for a valid candidate that never
   * ran. This version doesn't export rollouts with an unknown reward.
   */
  readonly reward: number | null;
  /**
   * Rollouts of a group have the same prompt. In the export of a batch, first-round rollouts of a group also have the same task
   * and method.
   */
  readonly group: string;
  /**
   * Log-probabilities at sampling time. A model's completion has one for each token. A candidate that the trained policy sampled
   * has a single one. `null`: unknown, or nothing was sampled. If the policy writes only one plan, it samples nothing and
   * takes the most likely option at each choice.
   */
  readonly logprobs: readonly number[] | null;
  /** Whether the completion is a valid workflow. */
  readonly valid: boolean;
  /** Whether the answer of the round was right. `null`: unknown. */
  readonly correct: boolean | null;
  /**
   * Number of steps in the workflow. 0 if the workflow is invalid. Monitor this number during training: plans
   * can collapse to one step even if the reward rises.
   */
  readonly steps: number;
  readonly conductor: { readonly id: string; readonly kind: string; readonly model: string | null };
  /** Whether a language model wrote the completion. Only then is the completion on-policy for that model. */
  readonly written: boolean;
  /** 0-based. Absent in older files, which means 0. In later rounds the prompt includes the results of the earlier rounds. */
  readonly round?: number;
  readonly maxSteps: number;
  /** Whether the Conductor could request another round by naming itself. The Conductor is then the last entry of the pool. */
  readonly recursion: boolean;
  readonly question: string;
}

/** Parses the completion in the same way as Podium parses a Conductor's text. */
export function workflowOf({ completion, pool, maxSteps, recursion, round = 0 }: Rollout): ParsedWorkflow {
  return parseWorkflow(completion, { poolSize: pool.length, maxSteps, recursion, allowEmpty: round > 0 });
}
