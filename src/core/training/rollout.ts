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
  /** 0, 0.5 or 1; `null` where a valid candidate never ran. */
  reward: z.nullable(z.union([z.literal(0), z.literal(0.5), z.literal(1)])),
  /** Rollouts with the same prompt are of one group. */
  group: z.string().check(z.minLength(1)),
  /** Log-probabilities of the completion's tokens as they were drawn; `null` where nobody told them. */
  logprobs: z.nullable(z.array(z.number())),
  /** Whether the completion is a valid workflow, and whether the answer was right; the two parts of the reward. */
  valid: z.boolean(),
  correct: z.nullable(z.boolean()),
  /** Steps of the workflow, 0 where there is none: to be watched beside the reward. */
  steps: count,
  conductor: z.object({ id: z.string(), kind: z.string(), model: z.nullable(z.string()) }),
  /** Whether a language model wrote the completion, so that it is on its own policy. */
  written: z.boolean(),
  maxSteps: count,
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
export function workflowOf({ completion, pool, maxSteps, recursion }: Rollout): ParsedWorkflow {
  return parseWorkflow(completion, { poolSize: pool.length, maxSteps, recursion });
}
