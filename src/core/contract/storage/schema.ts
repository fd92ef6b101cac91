/**
 * @file Validates stored runs and imported files before other code uses them. This file depends on zod, so it is not part of the
 * contract's index. Import it only where data is read.
 *
 * Objects are loose: unknown fields are kept, never dropped. Raise `SCHEMA` for each change that older versions cannot ignore.
 * Examples are a new meaning of a field, and a new value in a list of codes, kinds or roles. For a new type of event, `SCHEMA`
 * stays unchanged.
 */
import * as z from 'zod/mini';
import {
  MOST_SEGMENTS,
  amount,
  attempt,
  candidateScore,
  caps,
  raisedCaps,
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
  problem,
  question,
  round,
  sampling,
  speed,
  stampShape,
  step,
  stepChoice,
  stepIndex,
  text,
  usage,
  waitingFor,
  workflow,
} from './schema-parts';
import {
  boundsProblem,
  isMoment,
  LONGEST_ELAPSED,
  LONGEST_NAME,
  MOST_ATTEMPTS,
  MOST_ROUNDS,
  MOST_SEQ,
  MOST_STEPS,
} from './bounds';
import { settingsShape } from './settings-shape';
import { isRecord } from '../parse-json';

import { HELD_FOR } from '../run/events';
import { ANNOTATION_LIMITS, SCHEMA, type RunEvent, type StoredEvent } from '../run/events';
import { PREFERENCES } from '../run/pair';
import { isDeltaType, type DeltaType } from '../run/event-traits';
import { VERDICTS } from '../workflow/verdict';

const event = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.looseObject({ ...stampShape, type: z.literal(type), ...shape });
/** A number of rounds, calls, tokens or dollars. A negative number is read as 0. */
const notNegative = z.pipe(
  amount,
  z.transform((found) => Math.max(0, found)),
);
const stepKey = { round, step: stepIndex, attempt };
const bill = { usage, cost, billed: z.optional(z.boolean()) };
const unsent = { sent: z.optional(z.literal(false)) };
const delta = { channel, text, length: z.optional(index), relabels: z.optional(z.literal(true)) };
const verdicts = z.optional(z.array(z.object({ step: stepIndex, verdict: z.enum(VERDICTS) })));
const lowered = { outputLimit: z.optional(z.int().check(z.gte(1))) };
const statements = z.array(text);
const outcome = { output: text, reasoning: text, ...bill };

/** The schema of each type of event. The event's type selects the schema, so that reading does not try all schemas. */
export const eventSchemas = {
  'run-started': event('run-started', {
    schema: index,
    question,
    seed: amount,
    ...settingsShape,
    parent: z.optional(z.looseObject({ runId: name, round, step: stepIndex })),
    batch: z.optional(
      z.looseObject({
        id: name,
        dataset: name,
        task: name,
        method: name,
        repeat: index,
        isConfidential: z.optional(z.literal(true)),
      }),
    ),
    isConfidential: z.optional(z.literal(true)),
  }),
  'round-started': event('round-started', { round }),
  'plan-started': event('plan-started', {
    round,
    conductor,
    messages,
    engine: z.optional(text),
    revision: z.optional(text),
    sampling: z.optional(sampling),
    grammar: z.optional(z.looseObject({ hash: name, text })),
    policy: z.optional(planPolicy),
  }),
  'plan-waiting': event('plan-waiting', { round, for: z.nullable(waitingFor), delay: z.nullable(amount) }),
  'plan-delta': event('plan-delta', { round, ...delta }),
  'plan-step-known': event('plan-step-known', { round, index: stepIndex, step }),
  'plan-retried': event('plan-retried', {
    round,
    problem: z.nullable(problem),
    fault: z.nullable(fault),
    text,
    ...bill,
    next: z.enum(['stricter', 'fallback']),
    correction: z.optional(z.looseObject({ shown: z.boolean(), text })),
    maxTokens: z.optional(amount),
  }),
  'plan-candidate': event('plan-candidate', {
    round,
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
  'plan-chosen': event('plan-chosen', { round, candidate: index, by: z.enum(['person', 'vote', 'rank']) }),
  'plan-finished': event('plan-finished', {
    round,
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
  'plan-failed': event('plan-failed', { round, problem: z.nullable(problem), fault, text, ...bill }),
  'plan-held': event('plan-held', { round, heldFor: z.enum(HELD_FOR) }),
  'plan-edited': event('plan-edited', { round, workflow }),
  'plan-approved': event('plan-approved', { round }),
  'step-queued': event('step-queued', stepKey),
  'step-started': event('step-started', {
    ...stepKey,
    workerId: text.check(z.maxLength(LONGEST_NAME)),
    messages,
    sha256: text,
    without: z.optional(z.array(stepIndex)),
  }),
  'step-waiting': event('step-waiting', { ...stepKey, for: z.nullable(waitingFor), delay: z.nullable(amount) }),
  'step-delta': event('step-delta', { ...stepKey, ...delta }),
  'step-retried': event('step-retried', { ...stepKey, fault, ...bill, ...unsent, delay: amount }),
  'step-finished': event('step-finished', {
    ...stepKey,
    ...outcome,
    ...lowered,
    finishReason,
    verdicts,
  }),
  'step-failed': event('step-failed', { ...stepKey, ...outcome, ...unsent, ...lowered, fault }),
  'step-skipped': event('step-skipped', { ...stepKey, because: stepIndex }),
  'step-settled': event('step-settled', {
    ...stepKey,
    output: text,
    from: stepIndex,
    evidence: z.array(stepIndex),
  }),
  'step-reused': event('step-reused', {
    ...stepKey,
    output: text,
    reasoning: text,
    worker: z.optional(poolWorker),
    verdicts,
  }),
  'step-discarded': event('step-discarded', { ...stepKey, ...bill, ...unsent }),
  'step-cancelled': event('step-cancelled', { ...stepKey, ...outcome, ...unsent }),
  'round-finished': event('round-finished', {
    round,
    outcome: z.enum(['answered', 'recursed', 'kept', 'failed']),
  }),
  'cap-reached': event('cap-reached', {
    cap: z.enum(['rounds', 'calls', 'tokens', 'usd']),
    limit: notNegative,
    wanted: notNegative,
    day: z.optional(z.boolean()),
  }),
  'answer-requested': event('answer-requested', { round, step: stepIndex, combinedBy: z.optional(index) }),
  'run-finished': event('run-finished', { round, step: stepIndex }),
  'run-failed': event('run-failed', { fault }),
  'run-cancelled': event('run-cancelled', {}),
  'run-interrupted': event('run-interrupted', {}),
  'run-resumed': event('run-resumed', {
    batch: z.optional(name),
    pool: z.optional(z.array(poolWorker)),
    conductor: z.optional(conductor),
    caps: z.optional(caps),
    sampling: z.optional(sampling),
    maxSteps: z.optional(amount),
    candidates: z.optional(amount),
    raised: z.optional(raisedCaps),
  }),
  'run-graded': event('run-graded', {
    correct: z.nullable(z.boolean()),
    by: z.enum(['person', 'grader']),
    detail: text,
    version: z.optional(amount),
    judge: z.optional(z.looseObject({ batchId: name, sha256: name, ...bill, pending: z.optional(z.literal(true)) })),
  }),
  'answers-compared': event('answers-compared', {
    by: text.check(z.maxLength(LONGEST_NAME)),
    sha256: name,
    ...bill,
    analysis: z.nullable(
      z.looseObject({
        consensus: statements,
        contradictions: statements,
        gaps: statements,
        unique_insights: statements,
        blind_spots: statements,
        changes: z.optional(statements),
      }),
    ),
    pending: z.optional(z.literal(true)),
  }),
  'alone-answered': event('alone-answered', {
    ...bill,
    output: z.nullable(text),
    calls: z.optional(index),
    fault: z.optional(fault),
    pending: z.optional(z.literal(true)),
  }),
  'pair-compared': event('pair-compared', { preferred: z.enum(PREFERENCES) }),
  'run-labelled': event('run-labelled', { label: text.check(z.maxLength(LONGEST_NAME)), on: z.boolean() }),
  'run-annotated': event('run-annotated', {
    title: z.optional(text.check(z.maxLength(ANNOTATION_LIMITS.title))),
    note: z.optional(text.check(z.maxLength(ANNOTATION_LIMITS.note))),
    starred: z.optional(z.boolean()),
  }),
  'run-imported': event('run-imported', {}),
} satisfies { [Type in RunEvent['type']]: z.ZodMiniType<Extract<RunEvent, { type: Type }>> };

const unknownEvent = z.looseObject({ ...stampShape, type: name });
const schemaOf: ReadonlyMap<unknown, z.ZodMiniType<StoredEvent>> = new Map(Object.entries(eventSchemas));

export type ParsedEvent =
  { readonly ok: true; readonly event: StoredEvent } | { readonly ok: false; readonly message: string };

/** Reads one event. If its type is unknown, only its run id, sequence number and times must be valid. */
export function parseStoredEvent(value: unknown): ParsedEvent {
  if (isSoundDelta(value)) return { ok: true, event: value };
  const type = isRecord(value) ? value.type : undefined;
  const what = typeof type === 'string' ? `The event “${type.slice(0, 40)}”` : 'A value that is not an event';
  // A schema reports every problem of a value, which takes too long for a huge value. So the bounds are checked
  // first.
  const beyond = boundsProblem(value);
  if (beyond !== null) return { ok: false, message: `${what} cannot be read: ${beyond}` };
  const parsed = z.safeParse(schemaOf.get(type) ?? unknownEvent, value);
  if (parsed.success) return { ok: true, event: parsed.data };
  return { ok: false, message: `${what} cannot be read: ${firstProblem(parsed.error)}` };
}

/**
 * Whether a value is a valid delta. Nearly all events are deltas, and this check is many times as fast as the schemas. The
 * schemas check every other value, including deltas with unknown fields.
 */
function isSoundDelta(value: unknown): value is Extract<RunEvent, { type: DeltaType }> {
  if (!isRecord(value)) return false;
  const { type } = value;
  if (!isDeltaType(type)) return false;
  const isStep = type === 'step-delta';
  if (isStep && !(isBelow(value.step, MOST_STEPS) && isBelow(value.attempt, MOST_ATTEMPTS))) return false;
  const fields = (isStep ? STEP_DELTA_FIELDS : PLAN_DELTA_FIELDS) + (value.length === undefined ? 0 : 1);
  if (Object.keys(value).length !== fields) return false;
  return (
    typeof value.runId === 'string' &&
    value.runId !== '' &&
    value.runId.length <= LONGEST_NAME &&
    isBelow(value.seq, MOST_SEQ) &&
    typeof value.at === 'number' &&
    isMoment(value.at) &&
    isBelow(value.segment, MOST_SEGMENTS) &&
    typeof value.elapsed === 'number' &&
    Math.abs(value.elapsed) <= LONGEST_ELAPSED &&
    isBelow(value.round, MOST_ROUNDS) &&
    (value.channel === 'content' || value.channel === 'reasoning') &&
    typeof value.text === 'string' &&
    (value.length === undefined || isIndex(value.length))
  );
}

/**
 * Number of fields of a plan delta: `runId`, `seq`, `at`, `segment`, `elapsed`, `type`, `round`, `channel`,
 * `text`.
 */
const PLAN_DELTA_FIELDS = 9;
/** Number of fields of a step delta: those of a plan delta, `step` and `attempt`. */
const STEP_DELTA_FIELDS = 11;

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isBelow(value: unknown, most: number): value is number {
  return isIndex(value) && value < most;
}

/** The first problem, as the end of a sentence. */
function firstProblem(error: z.core.$ZodError): string {
  const path = error.issues[0]?.path.join('.') ?? '';
  return path === '' ? 'it is not an object.' : `its field “${path.slice(0, 80)}” is missing or of the wrong kind.`;
}

export type ParsedRun =
  | {
      readonly ok: true;
      readonly events: readonly StoredEvent[];
      /** The events that can't be read and were left out. `index` is the event's index in the given values. */
      readonly problems: readonly { readonly index: number; readonly message: string }[];
    }
  /** This version cannot read the run at all. */
  | { readonly ok: false; readonly message: string };

/**
 * Reads the events of one run, in any schema version.
 * @param most maximum number of problems, after which reading stops. Default: no maximum
 */
export function parseRun(values: readonly unknown[], most = Infinity): ParsedRun {
  const upcasted = upcast(values);
  if (!upcasted.ok) return upcasted;
  const events: StoredEvent[] = [];
  const problems: { index: number; message: string }[] = [];
  for (const [index, value] of upcasted.values.entries()) {
    const parsed = parseStoredEvent(value);
    if (parsed.ok) events.push(parsed.event);
    else if (problems.push({ index, message: parsed.message }) >= most) break;
  }
  return { ok: true, events, problems };
}

/** The function at index `n - 1` converts an event of schema `n` to schema `n + 1`. Schema 1 is the first. */
const UPCASTS: readonly ((value: unknown) => unknown)[] = [];

/** Converts the events of one run to the current schema, for reading. Fails if a newer version of Podium wrote the run. */
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
