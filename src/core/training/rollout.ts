/**
 * @file A rollout: what a Conductor was asked, what it wrote, and what it was worth. One line each of a `.rollouts.jsonl` file,
 * for trainers of language models. The border of those files is here as well: a line is held against the schema when read.
 */
import * as z from 'zod/mini';
import { parseWorkflow, type ParsedWorkflow } from '../conductor/parse';

const FORMAT = 'podium-rollout';
const VERSION = 1;

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });
const count = z.int().check(z.gte(0));
const price = z.nullable(z.object({ input: z.number(), output: z.number() }));

const rollout = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** Names the rollout among all: the run, and which of its candidates. */
  id: z.string().check(z.minLength(1)),
  /** The messages as they were sent. */
  prompt: z.array(message).check(z.minLength(1)),
  /** What the Conductor wrote, or for a Conductor that writes nothing, its workflow in the form that a model is asked for. */
  completion: z.string(),
  pool: z
    .array(z.object({ id: z.string(), name: z.string(), kind: z.string(), model: z.string(), price }))
    .check(z.minLength(1)),
  /**
   * 0, 0.5 or 1; between them where a second round had a share in it. `null`, of a valid candidate that never ran, stands in no
   * file of this version.
   */
  reward: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  /** Rollouts with the same prompt are of one group. */
  group: z.string().check(z.minLength(1)),
  /**
   * Log-probabilities as it was drawn: one for each token of a completion that a model wrote, a single one for a workflow that the
   * trained policy drew as a whole, among several; `null` where nobody told them, and where nothing was drawn: a single plan of
   * the policy is its most likely one.
   */
  logprobs: z.nullable(z.array(z.number())),
  /** Whether the completion is a valid workflow, and whether its round's answer was right; the two parts of the reward. */
  valid: z.boolean(),
  correct: z.nullable(z.boolean()),
  /** Steps of the workflow, 0 where there is none: to be watched beside the reward. */
  steps: count,
  conductor: z.object({ id: z.string(), kind: z.string(), model: z.nullable(z.string()) }),
  /** Whether a language model wrote the completion, so that it is on its own policy. */
  written: z.boolean(),
  /** 0-based. In a later round the Conductor saw what came of those before. Absent in older files: 0. */
  round: z.optional(count),
  maxSteps: count,
  /** Whether the Conductor could ask for another round, as the last of the pool. */
  recursion: z.boolean(),
  question: z.string(),
});

export type Rollout = Readonly<z.infer<typeof rollout>>;

/** What every rollout of this version carries. */
export const ROLLOUT_HEADER = { format: FORMAT, version: VERSION } as const;

export type ReadRollout =
  { readonly ok: true; readonly rollout: Rollout } | { readonly ok: false; readonly message: string };

/** Reads one line of a rollouts file. Never throws. */
export function readRollout(line: string): ReadRollout {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { ok: false, message: 'The line is not JSON. Export the runs again.' };
  }
  const read = z.safeParse(rollout, value);
  if (read.success) return { ok: true, rollout: read.data };
  const field = read.error.issues[0]?.path.join('.') ?? '';
  const where = field === '' ? '' : ` Its field “${field.slice(0, 80)}” is missing or of the wrong kind.`;
  return { ok: false, message: `The line is no rollout of this version.${where} Export the runs again.` };
}

/** Reads the workflow of a completion, as Podium reads what a Conductor writes. */
export function workflowOf({ completion, pool, maxSteps, recursion, round = 0 }: Rollout): ParsedWorkflow {
  return parseWorkflow(completion, { poolSize: pool.length, maxSteps, recursion, allowEmpty: round > 0 });
}
