/**
 * @file The border: stored runs, imported files, setups and preferences are held against these schemas before anything
 * trusts them. It brings zod, so it is not part of the contract's index: import it where something is read.
 *
 * Objects are loose: a field this version does not know is kept, never dropped. What an older version cannot ignore (a new
 * meaning, a new value in a list of codes, kinds or roles) raises `SCHEMA`; a new type of event does not.
 */
import * as z from 'zod/mini';
import {
  MOST_SEGMENTS,
  accessScheme,
  amount,
  candidateScore,
  caps,
  channel,
  conductor,
  cost,
  fault,
  finishReason,
  index,
  messages,
  name,
  planPolicy,
  poolWorker,
  price,
  problem,
  question,
  sampling,
  speed,
  stampShape,
  step,
  stepChoice,
  text,
  usage,
  waitingFor,
  workflow,
} from './schema-parts';
import { PLAN_CHOICES } from './conductor';
import { HELD_FOR } from './person';
import { SCHEMA, type RunEvent, type StoredEvent } from './events';
import { DEFAULT_PREFERENCES, MOST_CANDIDATES, MOST_SEED, type Preferences, type WorkerSetup } from './setup';

const event = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.looseObject({ ...stampShape, type: z.literal(type), ...shape });
const stepKey = { round: index, step: index, attempt: index };
const bill = { usage, cost, billed: z.optional(z.boolean()) };
const unsent = { sent: z.optional(z.literal(false)) };
const outcome = { output: text, reasoning: text, ...bill };

/** One schema for each type of event. The type is looked up, so that reading does not try them one after the other. */
export const eventSchemas = {
  'run-started': event('run-started', {
    schema: index,
    question,
    pool: z.array(poolWorker),
    conductor,
    recursion: z.boolean(),
    maxSteps: amount,
    seed: amount,
    caps,
    sampling,
    access: z.optional(accessScheme),
    candidates: z.optional(amount),
    choice: z.optional(z.enum(PLAN_CHOICES)),
    approval: z.optional(z.boolean()),
    planTemperature: z.optional(amount),
    parent: z.optional(z.looseObject({ runId: name, round: index, step: index })),
  }),
  'round-started': event('round-started', { round: index }),
  'plan-started': event('plan-started', {
    round: index,
    conductor,
    messages,
    engine: z.optional(text),
    revision: z.optional(text),
    sampling: z.optional(sampling),
    grammar: z.optional(z.looseObject({ hash: name, text })),
    policy: z.optional(planPolicy),
  }),
  'plan-waiting': event('plan-waiting', { round: index, for: z.nullable(waitingFor), delay: z.nullable(amount) }),
  'plan-delta': event('plan-delta', { round: index, channel, text, length: z.optional(index) }),
  'plan-step-known': event('plan-step-known', { round: index, index, step }),
  'plan-retried': event('plan-retried', {
    round: index,
    problem: z.nullable(problem),
    fault: z.nullable(fault),
    text,
    ...bill,
    next: z.enum(['stricter', 'fallback']),
    correction: z.optional(z.looseObject({ shown: z.boolean(), text })),
  }),
  'plan-candidate': event('plan-candidate', {
    round: index,
    candidate: index,
    workflow: z.nullable(workflow),
    problem: z.nullable(problem),
    fault: z.optional(fault),
    text,
    ...bill,
    thought: z.optional(text),
    finishReason: z.optional(finishReason),
    speed: z.optional(speed),
    logProbability: z.optional(z.number()),
    score: z.optional(candidateScore),
    choices: z.optional(z.array(stepChoice)),
  }),
  'plan-chosen': event('plan-chosen', { round: index, candidate: index, by: z.enum(['person', 'vote', 'rank']) }),
  'plan-finished': event('plan-finished', {
    round: index,
    workflow,
    thought: text,
    text,
    source: z.enum(['conductor', 'fallback', 'person']),
    ...bill,
    finishReason,
    speed: z.optional(speed),
    logProbability: z.optional(z.number()),
    choices: z.optional(z.array(stepChoice)),
  }),
  'plan-failed': event('plan-failed', { round: index, problem: z.nullable(problem), fault, text, ...bill }),
  'plan-held': event('plan-held', { round: index, heldFor: z.enum(HELD_FOR) }),
  'plan-edited': event('plan-edited', { round: index, workflow }),
  'plan-approved': event('plan-approved', { round: index }),
  'step-queued': event('step-queued', stepKey),
  'step-started': event('step-started', { ...stepKey, workerId: text, messages, sha256: text }),
  'step-waiting': event('step-waiting', { ...stepKey, for: z.nullable(waitingFor), delay: z.nullable(amount) }),
  'step-delta': event('step-delta', { ...stepKey, channel, text, length: z.optional(index) }),
  'step-retried': event('step-retried', { ...stepKey, fault, ...bill, ...unsent, delay: amount }),
  'step-finished': event('step-finished', { ...stepKey, ...outcome, finishReason }),
  'step-failed': event('step-failed', { ...stepKey, ...outcome, ...unsent, fault }),
  'step-skipped': event('step-skipped', { ...stepKey, because: index }),
  'step-reused': event('step-reused', { ...stepKey, output: text, reasoning: text }),
  'step-discarded': event('step-discarded', { ...stepKey, ...bill, ...unsent }),
  'step-cancelled': event('step-cancelled', { ...stepKey, ...outcome, ...unsent }),
  'round-finished': event('round-finished', {
    round: index,
    outcome: z.enum(['answered', 'recursed', 'kept', 'failed']),
  }),
  'cap-reached': event('cap-reached', {
    cap: z.enum(['rounds', 'calls', 'tokens', 'usd']),
    limit: amount,
    wanted: amount,
    day: z.optional(z.boolean()),
  }),
  'run-finished': event('run-finished', { round: index, step: index }),
  'run-failed': event('run-failed', { fault }),
  'run-cancelled': event('run-cancelled', {}),
  'run-interrupted': event('run-interrupted', {}),
  'run-resumed': event('run-resumed', {}),
  'run-graded': event('run-graded', {
    correct: z.nullable(z.boolean()),
    by: z.enum(['person', 'grader']),
    detail: text,
  }),
  'run-labelled': event('run-labelled', { label: text, on: z.boolean() }),
  'run-imported': event('run-imported', {}),
} satisfies { [Type in RunEvent['type']]: z.ZodMiniType<Extract<RunEvent, { type: Type }>> };

const unknownEvent = z.looseObject({ ...stampShape, type: name });
const schemaOf: ReadonlyMap<unknown, z.ZodMiniType<StoredEvent>> = new Map(Object.entries(eventSchemas));

export type ParsedEvent =
  { readonly ok: true; readonly event: StoredEvent } | { readonly ok: false; readonly message: string };

/** Reads one event. A type this version does not know passes with its stamp; a known one must be whole. */
export function parseStoredEvent(value: unknown): ParsedEvent {
  if (isSoundDelta(value)) return { ok: true, event: value };
  const type = isRecord(value) ? value.type : undefined;
  const parsed = z.safeParse(schemaOf.get(type) ?? unknownEvent, value);
  if (parsed.success) return { ok: true, event: parsed.data };
  const what = typeof type === 'string' ? `The event “${type.slice(0, 40)}”` : 'Something that is no event';
  return { ok: false, message: `${what} cannot be read: ${firstProblem(parsed.error)}` };
}

/**
 * Nearly all events are deltas, and this says of a sound one what their schemas say, many times as fast. Anything it does
 * not vouch for goes through the schema.
 */
function isSoundDelta(value: unknown): value is Extract<RunEvent, { type: 'step-delta' | 'plan-delta' }> {
  if (!isRecord(value)) return false;
  const { type } = value;
  if (type !== 'step-delta' && type !== 'plan-delta') return false;
  if (type === 'step-delta' && !(isIndex(value.step) && isIndex(value.attempt))) return false;
  return (
    typeof value.runId === 'string' &&
    value.runId !== '' &&
    isIndex(value.seq) &&
    Number.isFinite(value.at) &&
    isIndex(value.segment) &&
    value.segment < MOST_SEGMENTS &&
    Number.isFinite(value.elapsed) &&
    isIndex(value.round) &&
    (value.channel === 'content' || value.channel === 'reasoning') &&
    typeof value.text === 'string' &&
    (value.length === undefined || isIndex(value.length))
  );
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The first thing amiss, as the end of a sentence. */
function firstProblem(error: z.core.$ZodError): string {
  const path = error.issues[0]?.path.join('.') ?? '';
  return path === '' ? 'it is not an object.' : `its field “${path.slice(0, 80)}” is missing or of the wrong kind.`;
}

export type ParsedRun =
  | {
      readonly ok: true;
      readonly events: readonly StoredEvent[];
      /** Events that could not be read and were left out; `index` counts the values given. */
      readonly problems: readonly { readonly index: number; readonly message: string }[];
    }
  /** The whole run is beyond this version. */
  | { readonly ok: false; readonly message: string };

/** Reads the events of one run, of whatever schema they were written in. */
export function parseRun(values: readonly unknown[]): ParsedRun {
  const upcasted = upcast(values);
  if (!upcasted.ok) return upcasted;
  const events: StoredEvent[] = [];
  const problems: { index: number; message: string }[] = [];
  for (const [index, value] of upcasted.values.entries()) {
    const parsed = parseStoredEvent(value);
    if (parsed.ok) events.push(parsed.event);
    else problems.push({ index, message: parsed.message });
  }
  return { ok: true, events, problems };
}

/** What turns an event of schema `n` into one of schema `n + 1` stands at `n - 1`. Schema 1 is the first. */
const UPCASTS: readonly ((value: unknown) => unknown)[] = [];

/** Brings the events of one run to today's schema. What is stored is never rewritten. */
export function upcast(
  values: readonly unknown[],
): { readonly ok: true; readonly values: readonly unknown[] } | { readonly ok: false; readonly message: string } {
  const start = values.find((value) => isRecord(value) && value.type === 'run-started');
  const schema = isRecord(start) && typeof start.schema === 'number' ? start.schema : SCHEMA;
  if (schema > SCHEMA) {
    const message =
      'This run was saved by a newer version of Podium. Reload the page to get that version, then try again.';
    return { ok: false, message };
  }
  const steps = UPCASTS.slice(Math.max(0, schema - 1));
  if (steps.length === 0) return { ok: true, values };
  return { ok: true, values: values.map((value) => steps.reduce((upcasted, step) => step(upcasted), value)) };
}

const defaults = DEFAULT_PREFERENCES;
const preferences = z.looseObject({
  theme: z.catch(z.enum(['system', 'light', 'dark']), defaults.theme),
  conductor: z.catch(text, defaults.conductor),
  pool: z.catch(z.nullable(z.array(text)), null),
  caps: z.catch(
    z.looseObject({
      rounds: z.catch(amount, defaults.caps.rounds),
      calls: z.catch(amount, defaults.caps.calls),
      tokens: z.catch(z.nullable(amount), defaults.caps.tokens),
      usd: z.catch(z.nullable(amount), defaults.caps.usd),
    }),
    { ...defaults.caps },
  ),
  dayUsd: z.catch(z.nullable(amount), defaults.dayUsd),
  access: z.catch(accessScheme, defaults.access),
  recursion: z.catch(z.boolean(), defaults.recursion),
  temperature: z.catch(amount, defaults.temperature),
  maxTokens: z.catch(amount, defaults.maxTokens),
  candidates: z.catch(z.int().check(z.gte(1), z.lte(MOST_CANDIDATES)), defaults.candidates),
  approval: z.catch(z.boolean(), defaults.approval),
  choice: z.catch(z.enum(PLAN_CHOICES), defaults.choice),
  planTemperature: z.catch(z.nullable(amount), defaults.planTemperature),
  seed: z.catch(z.nullable(z.int().check(z.gte(0), z.lte(MOST_SEED))), defaults.seed),
  isPrivate: z.catch(z.boolean(), defaults.isPrivate),
  grammar: z.catch(z.boolean(), defaults.grammar),
  model: z.catch(z.nullable(text), defaults.model),
  sentenceModel: z.catch(z.nullable(text), defaults.sentenceModel),
  speeds: z.catch(z.record(z.string(), speed), {}),
  policy: z.catch(z.nullable(text), defaults.policy),
});

/** Reads preferences; what cannot be read falls back, field by field, to the default. */
export function parsePreferences(value: unknown): Preferences {
  return z.parse(preferences, isRecord(value) ? value : {});
}

const rateLimit = z.catch(z.nullable(z.int().check(z.gte(1))), null);
const workerSetup = z.looseObject({
  id: name,
  name: z.catch(text, ''),
  mark: z.catch(text, '··'),
  colour: z.catch(z.int().check(z.gte(1), z.lte(9)), 1),
  baseUrl: name,
  model: name,
  price: z.catch(z.nullable(price), null),
  priced: z.catch(
    z.optional(z.looseObject({ by: z.enum(['person', 'provider', 'table']), date: text, source: z.optional(text) })),
    undefined,
  ),
  description: z.catch(text, ''),
  needsKey: z.catch(z.boolean(), true),
  provider: z.catch(z.optional(text), undefined),
  reasoning: z.catch(z.optional(z.nullable(z.enum(['off', 'low', 'medium', 'high']))), undefined),
  limits: z.catch(
    z.optional(z.looseObject({ concurrent: rateLimit, requestsPerMinute: rateLimit, tokensPerMinute: rateLimit })),
    undefined,
  ),
  canSee: z.catch(z.optional(z.boolean()), undefined),
});

/** Reads a worker's setup; `null` where it names no address or no model, so that it could not be called. */
export function parseWorkerSetup(value: unknown): WorkerSetup | null {
  const parsed = z.safeParse(workerSetup, value);
  if (!parsed.success) return null;
  return { ...parsed.data, name: parsed.data.name === '' ? parsed.data.model : parsed.data.name };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
