/**
 * @file What event and setup schemas are made of. Objects are loose: a field this version does not know is kept, never
 * dropped. A value that is added to a list of codes, kinds or roles is beyond older versions, so it raises `SCHEMA`.
 */
import * as z from 'zod/mini';
import { CHOOSERS, CONDUCTOR_KINDS } from './conductor';
import { FAULT_CODES } from './fault';
import { IMAGE_TYPES } from './image';
import { WAITING_FOR, WORKER_KINDS } from './worker';
import { PLAN_PROBLEM_CODES, ROLES } from './workflow';

// A strict Content-Security-Policy forbids the code that zod would compile.
z.config({ jitless: true });

/** More sessions than any run sees; the reducer makes room for each, so an invented number must not pass. */
export const MOST_SEGMENTS = 10_000;

export const text = z.string();
export const name = z.string().check(z.minLength(1));
export const amount = z.number();
export const index = z.int().check(z.nonnegative());

export const stampShape = {
  runId: name,
  seq: index,
  at: amount,
  segment: z.int().check(z.nonnegative(), z.lt(MOST_SEGMENTS)),
  elapsed: amount,
};

export const channel = z.enum(['content', 'reasoning']);
export const finishReason = z.nullable(z.enum(['stop', 'length', 'content-filter', 'other']));
export const waitingFor = z.enum(WAITING_FOR);
const role = z.enum(ROLES);
export const price = z.looseObject({ input: amount, output: amount, cachedInput: z.optional(amount) });
export const cost = z.nullable(amount);
export const usage = z.nullable(
  z.looseObject({
    input: amount,
    output: amount,
    reasoning: z.optional(amount),
    cached: z.optional(amount),
    estimated: z.optional(z.boolean()),
  }),
);
export const sampling = z.looseObject({ temperature: amount, maxTokens: amount, seed: z.optional(amount) });
/** See `EngineSpeed`. */
export const speed = z.looseObject({
  promptTokens: amount,
  decodeTokens: amount,
  prefill: z.nullable(amount),
  decode: z.nullable(amount),
  firstToken: z.nullable(amount),
  grammar: z.nullable(amount),
});
export const accessScheme = z.enum(['binary', 'fine']);
export const caps = z.looseObject({
  rounds: amount,
  calls: amount,
  tokens: z.nullable(amount),
  usd: z.nullable(amount),
});

export const fault = z.looseObject({
  code: z.enum(FAULT_CODES),
  message: text,
  retryable: z.boolean(),
  retryAfter: z.optional(amount),
  status: z.optional(amount),
  detail: z.optional(text),
});

/** Ascending and without repeats, as `Step` promises, whatever a file or an older version wrote. */
const access = z.pipe(
  z.array(index),
  z.transform((seen) => [...new Set(seen)].sort((one, other) => one - other)),
);
export const step = z.looseObject({ worker: index, subtask: text, access, role: z.optional(role) });
export const workflow = z.looseObject({ steps: z.array(step) });
export const problem = z.looseObject({
  code: z.enum(PLAN_PROBLEM_CODES),
  message: text,
  at: amount,
});

const promptPart = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('literal'), text }),
  z.looseObject({ kind: z.literal('blob'), hash: name, text }),
  z.looseObject({ kind: z.literal('question') }),
  z.looseObject({ kind: z.literal('subtask'), round: index, step: index }),
  z.looseObject({ kind: z.literal('output'), round: index, step: index }),
]);
export const messages = z.array(
  z.looseObject({
    role: z.enum(['system', 'user', 'assistant']),
    parts: z.array(promptPart),
    images: z.optional(z.array(name)),
  }),
);

export const question = z.looseObject({
  text,
  images: z.optional(
    z.array(z.looseObject({ hash: name, type: z.enum(IMAGE_TYPES), width: amount, height: amount, size: amount })),
  ),
});
export const planPolicy = z.looseObject({
  part: z.enum(['skeleton', 'ranking']),
  revision: text,
  logProbability: z.optional(amount),
});
export const candidateScore = z.looseObject({
  logProbability: z.nullable(amount),
  choices: index,
  reason: z.optional(text),
});
export const stepChoice = z.looseObject({
  by: z.optional(z.enum(CHOOSERS)),
  basis: z.enum(['history', 'strength', 'order']),
  role: z.optional(role),
  expected: amount,
  graded: index,
  right: index,
  inRole: z.boolean(),
  runs: z.array(z.looseObject({ runId: name, startedAt: z.number(), right: z.boolean(), weight: z.number() })),
  nearBy: z.optional(text),
});
export const conductor = z.looseObject({
  id: text,
  label: text,
  kind: z.enum(CONDUCTOR_KINDS),
  model: z.optional(text),
  origin: z.optional(z.nullable(text)),
  price: z.optional(z.nullable(price)),
  canSee: z.optional(z.boolean()),
});
export const poolWorker = z.looseObject({
  id: text,
  name: text,
  mark: text,
  colour: index,
  kind: z.enum(WORKER_KINDS),
  model: text,
  origin: z.nullable(text),
  price: z.nullable(price),
  description: z.optional(text),
  strengths: z.optional(
    z.looseObject({
      plan: z.optional(amount),
      solve: z.optional(amount),
      verify: z.optional(amount),
      refine: z.optional(amount),
      aggregate: z.optional(amount),
      decide: z.optional(amount),
    }),
  ),
  canSee: z.optional(z.boolean()),
  contextWindow: z.optional(amount),
});
