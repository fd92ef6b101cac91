/**
 * @file The format of `.rollouts.jsonl` files for GRPO trainers. Each line is one rollout: a Conductor's prompt, its
 * completion and the reward. Lines are validated when they are read.
 */
import * as z from 'zod/mini';
import { parseJson } from '../../contract';
import { usd } from '../../contract/storage/schema-parts';
import { parseWorkflow, type ParsedWorkflow } from '../../conductor/parse';

const FORMAT = 'podium-rollout';
const VERSION = 1;

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });
const count = z.int().check(z.gte(0));
const price = z.nullable(z.object({ input: usd, output: usd }));

const rollout = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** A unique id: the id of the run, the round if it is not the first, and the name of the completion. */
  id: z.string().check(z.minLength(1)),
  /** The messages that were sent. For a Conductor that writes no text, the messages that a model would have received. */
  prompt: z.array(message).check(z.minLength(1)),
  /**
   * The text that the Conductor wrote. For a Conductor that writes no text, its workflow in the format that models use.
   */
  completion: z.string(),
  pool: z
    .array(z.object({ id: z.string(), name: z.string(), kind: z.string(), model: z.string(), price }))
    .check(z.minLength(1)),
  /**
   * 0 for an invalid workflow, 0.5 for a wrong answer, and 1 for a right answer. If the plan requested another
   * round, the reward of that round is mixed in. `null`: unknown, for example for a valid candidate that never
   * ran. This version doesn't export rollouts with an unknown reward.
   */
  reward: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  /**
   * Rollouts of a group have the same prompt. In the export of a batch, first-round rollouts of a group also have the same task
   * and method.
   */
  group: z.string().check(z.minLength(1)),
  /**
   * Log-probabilities at sampling time. A model's completion has one for each token. A candidate that the trained policy sampled
   * has a single one. `null`: unknown, or nothing was sampled. If the policy writes only one plan, it samples nothing and
   * takes the most likely option at each choice.
   */
  logprobs: z.nullable(z.array(z.number())),
  /** Whether the completion is a valid workflow. */
  valid: z.boolean(),
  /** Whether the answer of the round was right. `null`: unknown. */
  correct: z.nullable(z.boolean()),
  /**
   * Number of steps in the workflow. 0 if the workflow is invalid. Monitor this number during training: plans
   * can collapse to one step even if the reward rises.
   */
  steps: count,
  conductor: z.object({ id: z.string(), kind: z.string(), model: z.nullable(z.string()) }),
  /** Whether a language model wrote the completion. Only then is the completion on-policy for that model. */
  written: z.boolean(),
  /** 0-based. Absent in older files, which means 0. In later rounds the prompt includes the results of the earlier rounds. */
  round: z.optional(count),
  maxSteps: count,
  /** Whether the Conductor could request another round by naming itself. The Conductor is then the last entry of the pool. */
  recursion: z.boolean(),
  question: z.string(),
});

export type Rollout = Readonly<z.infer<typeof rollout>>;

/** The fields that identify the format and its version. */
export const ROLLOUT_HEADER = { format: FORMAT, version: VERSION } as const;

type ReadRollout = { readonly ok: true; readonly rollout: Rollout } | { readonly ok: false; readonly message: string };

/** Reads one line of a rollouts file. Never throws. */
export function readRollout(line: string): ReadRollout {
  const value = parseJson(line);
  if (value === undefined) return { ok: false, message: 'The line is not JSON. Export the runs again.' };
  const read = z.safeParse(rollout, value);
  if (read.success) return { ok: true, rollout: read.data };
  const field = read.error.issues[0]?.path.join('.') ?? '';
  const where = field === '' ? '' : ` Its field “${field.slice(0, 80)}” is missing or has the wrong type.`;
  return { ok: false, message: `The line is not a rollout of this version.${where} Export the runs again.` };
}

/** Parses the completion in the same way as Podium parses a Conductor's text. */
export function workflowOf({ completion, pool, maxSteps, recursion, round = 0 }: Rollout): ParsedWorkflow {
  return parseWorkflow(completion, { poolSize: pool.length, maxSteps, recursion, allowEmpty: round > 0 });
}
