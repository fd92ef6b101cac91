/**
 * @file Building blocks of the schemas of events and worker setups. Objects are loose: unknown fields are kept, never dropped.
 * Raise `SCHEMA` when you add a value to a list of codes, kinds or roles, because older versions cannot read the new value.
 */
import * as z from 'zod/mini';
import {
  isMoment,
  LONGEST_DESCRIPTION,
  LONGEST_ELAPSED,
  LONGEST_NAME,
  LONGEST_SYSTEM,
  MOST_ATTEMPTS,
  MOST_ROUNDS,
  MOST_SEQ,
  MOST_STEPS,
} from './bounds';
import { CHOOSERS } from '../workflow/conductor';
import { CONDUCTOR_KINDS } from '../workflow/conductor-info';
import { FAULT_CODES } from '../fault';
import { isMoney, MOST_USD } from '../money/money';
import { PUBLISHED_SETTINGS } from '../model/known-model';
import { IMAGE_TYPES, MOST_IMAGES } from '../run/image';
import { MOST_TURNS } from '../run/follow-up';
import { MOST_FILES } from '../run/question-file';
import { DOMAINS } from '../worker/domain';
import { REASONING_LEVELS } from '../worker/provider';
import { WAITING_FOR, WORKER_KINDS } from '../worker/worker';
import type { Bounds } from '../worker/worker-sampling';
import { SAMPLING_BOUNDS, type WorkerNumber } from '../worker/worker-sampling';
import { AGREEMENT_RULES, PLAN_PROBLEM_CODES, ROLES } from '../workflow/workflow';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

/**
 * The index of a segment must be below this limit. A run begins a new segment each time it is resumed. The reducer creates every
 * segment up to the index in an event, so a huge index from a damaged file must be rejected.
 */
export const MOST_SEGMENTS = 10_000;

export const text = z.string();
export const name = z.string().check(z.minLength(1));
export const amount = z.number();
export const index = z.int().check(z.nonnegative());
/** Ms since the epoch, within the range of `Date`. */
export const moment = z.number().check(z.refine(isMoment));
export const round = z.int().check(z.nonnegative(), z.lt(MOST_ROUNDS));
export const stepIndex = z.int().check(z.nonnegative(), z.lt(MOST_STEPS));
export const attempt = z.int().check(z.nonnegative(), z.lt(MOST_ATTEMPTS));
/** An id, a name or a model. */
export const shortText = z.string().check(z.maxLength(LONGEST_NAME));
const share = z.number().check(z.gte(0), z.lte(1));
const description = z.string().check(z.maxLength(LONGEST_DESCRIPTION));

export const stampShape = {
  runId: z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME)),
  seq: z.int().check(z.nonnegative(), z.lt(MOST_SEQ)),
  at: moment,
  segment: z.int().check(z.nonnegative(), z.lt(MOST_SEGMENTS)),
  elapsed: z.number().check(z.gte(-LONGEST_ELAPSED), z.lte(LONGEST_ELAPSED)),
};

export const channel = z.enum(['content', 'reasoning']);
export const finishReason = z.nullable(z.enum(['stop', 'length', 'content-filter', 'other']));
export const waitingFor = z.enum(WAITING_FOR);
export const role = z.enum(ROLES);

/** An amount in US dollars, such as a bill, a cap, or a price per million tokens. Rejects invalid amounts. */
export const usd = z.number().check(z.gte(0), z.lte(MOST_USD));
/**
 * Accepts any number, because files and records of older versions may contain invalid amounts. The schemas
 * below replace invalid amounts.
 */
const recordedUsd = z.custom<number>((value) => typeof value === 'number');
export const price = z.looseObject({
  input: usd,
  output: usd,
  cachedInput: z.optional(usd),
  perCall: z.optional(usd),
});
/** A recorded price. An invalid price is read as unknown, so the rest of the run stays readable. */
const recordedPrice = z.pipe(
  z.nullable(
    z.looseObject({
      input: recordedUsd,
      output: recordedUsd,
      cachedInput: z.optional(recordedUsd),
      perCall: z.optional(recordedUsd),
    }),
  ),
  z.transform((found) =>
    found && [found.input, found.output, found.cachedInput ?? 0, found.perCall ?? 0].every(isMoney) ? found : null,
  ),
);
/** A recorded cost. An invalid cost is read as unknown. */
export const cost = z.pipe(
  z.nullable(recordedUsd),
  z.transform((found) => (found !== null && isMoney(found) ? found : null)),
);
/** A recorded money cap. An invalid cap allows no spending. */
const recordedCap = z.pipe(
  z.nullable(recordedUsd),
  z.transform((found) => (found === null || isMoney(found) ? found : 0)),
);
/** Maximum tokens of a call, far above real values. This limit keeps sums of tokens exact. */
const MOST_TOKENS = 1e12;
/**
 * Recorded token counts. If one of the numbers is impossible, the whole usage is read as unknown. An impossible
 * number would falsify how much is left under a cap.
 */
export const usage = z.pipe(
  z.nullable(
    z.looseObject({
      input: amount,
      output: amount,
      reasoning: z.optional(amount),
      cached: z.optional(amount),
      estimated: z.optional(z.boolean()),
    }),
  ),
  z.transform((found) => {
    const numbers = found ? [found.input, found.output, found.reasoning ?? 0, found.cached ?? 0] : [];
    return numbers.every((tokens) => tokens >= 0 && tokens <= MOST_TOKENS) ? found : null;
  }),
);
export const sampling = z.looseObject({
  temperature: amount,
  maxTokens: amount,
  seed: z.optional(amount),
  topP: z.optional(amount),
  topK: z.optional(amount),
  presencePenalty: z.optional(amount),
  reasoning: z.catch(z.optional(z.enum(REASONING_LEVELS)), undefined),
  mostThinking: z.optional(z.literal(true)),
});
/** Numbers within a range. */
export function within({ least = -Infinity, most = Infinity, whole = false }: Bounds): z.ZodMiniType<number> {
  return (whole ? z.int() : z.number()).check(z.gte(least), z.lte(most));
}

type OptionalNumbers<Table> = { readonly [Name in keyof Table]: z.ZodMiniOptional<z.ZodMiniType<number>> };

type NumberTable = Readonly<Record<string, WorkerNumber>>;

/** The schema of the numbers in a table, which may all be absent. @param catches whether an invalid number counts as absent */
export function optionalNumbers<Table extends NumberTable>(table: Table, catches: boolean): OptionalNumbers<Table>;
export function optionalNumbers(table: NumberTable, catches: boolean): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => {
      const schema = z.optional(within(entry.stored ?? entry));
      return [name, catches ? z.catch(schema, undefined) : schema];
    }),
  );
}

/** A worker's system prompt. */
export const systemPrompt = z.string().check(z.maxLength(LONGEST_SYSTEM));
/** A worker's own sampling settings. */
export const workerSampling = z.looseObject(optionalNumbers(SAMPLING_BOUNDS, false));
/** See `EngineSpeed`. */
export const speed = z.looseObject({
  promptTokens: amount,
  decodeTokens: amount,
  prefill: z.nullable(amount),
  decode: z.nullable(amount),
  firstToken: z.nullable(amount),
  grammar: z.nullable(amount),
});
export const caps = z.looseObject({
  rounds: amount,
  calls: amount,
  tokens: z.nullable(amount),
  usd: recordedCap,
});
export const raisedCaps = z.looseObject({
  rounds: z.optional(amount),
  calls: z.optional(amount),
  tokens: z.optional(amount),
  usd: z.optional(amount),
});

export const fault = z.looseObject({
  code: z.enum(FAULT_CODES),
  message: text,
  retryable: z.boolean(),
  retryAfter: z.optional(amount),
  status: z.optional(amount),
  detail: z.optional(text),
});

/**
 * Sorts the indexes and removes duplicates, as `Step` requires. Lists in files or from older versions may be
 * unsorted or contain duplicates.
 */
const access = z.pipe(
  z.array(index).check(z.maxLength(MOST_STEPS)),
  z.transform((seen) => [...new Set(seen)].sort((one, other) => one - other)),
);
export const step = z.looseObject({
  worker: index,
  subtask: text,
  access,
  seesEarlier: z.optional(z.boolean()),
  role: z.optional(role),
  agreement: z.optional(z.looseObject({ among: access, rule: z.enum(AGREEMENT_RULES) })),
});
export const workflow = z.looseObject({ steps: z.array(step).check(z.maxLength(MOST_STEPS)) });
export const problem = z.looseObject({
  code: z.enum(PLAN_PROBLEM_CODES),
  message: text,
  at: amount,
});

const promptPart = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('literal'), text }),
  z.looseObject({ kind: z.literal('blob'), hash: name, text }),
  z.looseObject({ kind: z.literal('question') }),
  z.looseObject({ kind: z.literal('subtask'), round, step: stepIndex }),
  z.looseObject({ kind: z.literal('output'), round, step: stepIndex }),
]);
export const messages = z.array(
  z.looseObject({
    role: z.enum(['system', 'user', 'assistant']),
    parts: z.array(promptPart),
    images: z.optional(z.array(name)),
  }),
);

const turn = { runId: name, question: text, answer: text };
export const turns = z.optional(z.array(z.looseObject(turn)).check(z.maxLength(MOST_TURNS)));
export const contextShape = {
  ...turn,
  earlier: turns,
  first: z.optional(name),
  turn: z.optional(index),
  isConfidential: z.optional(z.literal(true)),
};
export const question = z.looseObject({
  text,
  context: z.optional(z.looseObject(contextShape)),
  images: z.optional(
    z
      .array(z.looseObject({ hash: name, type: z.enum(IMAGE_TYPES), width: amount, height: amount, size: amount }))
      .check(z.maxLength(MOST_IMAGES)),
  ),
  files: z.optional(
    z
      .array(z.looseObject({ name: shortText, kind: shortText, hash: name, text, part: z.optional(shortText) }))
      .check(z.maxLength(MOST_FILES)),
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
  runs: z.array(z.looseObject({ runId: name, startedAt: moment, right: z.boolean(), weight: z.number() })),
  prior: z.optional(
    z.looseObject({
      by: z.enum(['declared', 'published']),
      domain: z.enum(DOMAINS),
      ability: share,
      label: z.optional(shortText),
      source: z.optional(shortText),
    }),
  ),
  nearBy: z.optional(text),
});
export const conductor = z.looseObject({
  id: shortText,
  label: shortText,
  kind: z.enum(CONDUCTOR_KINDS),
  model: z.optional(shortText),
  origin: z.optional(z.nullable(shortText)),
  price: z.optional(recordedPrice),
  canSee: z.optional(z.boolean()),
});
export const domainStrengths = z.looseObject({
  maths: z.optional(share),
  code: z.optional(share),
  science: z.optional(share),
  knowledge: z.optional(share),
  writing: z.optional(share),
});
export const roleStrengths = z.looseObject({
  plan: z.optional(share),
  solve: z.optional(share),
  verify: z.optional(share),
  refine: z.optional(share),
  aggregate: z.optional(share),
  decide: z.optional(share),
});
const ability = z.looseObject({ score: z.number().check(z.gte(0), z.lte(100)), ability: share });
const published = z.looseObject({
  family: shortText,
  label: shortText,
  setting: z.enum(PUBLISHED_SETTINGS),
  tables: shortText,
  source: shortText,
  date: shortText,
  domains: z.looseObject({
    maths: z.optional(ability),
    code: z.optional(ability),
    science: z.optional(ability),
    knowledge: z.optional(ability),
    writing: z.optional(ability),
  }),
});
export const poolWorker = z.looseObject({
  id: shortText,
  name: shortText,
  mark: shortText,
  colour: index,
  kind: z.enum(WORKER_KINDS),
  model: shortText,
  origin: z.nullable(shortText),
  price: recordedPrice,
  description: z.optional(description),
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
  domains: z.optional(domainStrengths),
  published: z.optional(published),
  canSee: z.optional(z.boolean()),
  thinks: z.optional(z.boolean()),
  contextWindow: z.optional(amount),
  sampling: z.optional(workerSampling),
  system: z.optional(systemPrompt),
  web: z.optional(z.boolean()),
});
