import * as incubating from '@opentelemetry/semantic-conventions/incubating';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { traceOf } from '../../../../src/core/analysis/exports/open-telemetry';
import type { StoredEvent } from '../../../../src/core/contract';
import { endedRun } from '../../../fixtures/run-arbitrary';
import { plannedAgain } from '../planned-again';
import { exportedRun, GRADE, recordOf } from './exported-run';

const keyValue = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  spanId: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(keyValue),
  events: z.optional(z.array(z.object({ name: z.string(), timeUnixNano: z.string(), attributes: z.array(keyValue) }))),
  status: z.optional(z.object({ code: z.number(), message: z.optional(z.string()) })),
});
const trace = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span), schemaUrl: z.string() })) })),
});

function exported(events: readonly StoredEvent[], content = false) {
  const json = JSON.stringify(traceOf(recordOf(events), { content, app: '1.2.3' }));
  const { resourceSpans } = trace.parse(JSON.parse(json));
  return { json, spans: resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)) };
}

const plain = (attributes: readonly z.infer<typeof keyValue>[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Converts the ids. OTLP JSON uses hexadecimal ids, and the JSON of protocol buffers uses Base64. */
function asProtobufJson(json: string): object {
  return z
    .record(z.string(), z.unknown())
    .parse(
      JSON.parse(json, (key, value: unknown) =>
        /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(String(value), 'hex').toString('base64') : value,
      ),
    );
}

interface MessageType {
  fromObject(value: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}
// The package's types declare the generated code as an empty object, so the test describes the part that it needs.
const v1 = z.object({ TracesData: z.custom<MessageType>((value) => typeof value === 'function') });
const generated = z.object({ opentelemetry: z.object({ proto: z.object({ trace: z.object({ v1 }) }) }) });
const { TracesData } = generated.parse(root).opentelemetry.proto.trace.v1;

describe('a trace', () => {
  it('does not change when it is encoded and decoded with OpenTelemetry’s protocol buffers', () => {
    fc.assert(
      fc.property(fc.oneof(endedRun(), fc.constant(exportedRun('run-1', [GRADE]))), fc.boolean(), (events, content) => {
        const sent = asProtobufJson(exported(events, content).json);
        const bytes = TracesData.encode(TracesData.fromObject(sent)).finish();
        const received = TracesData.toObject(TracesData.decode(bytes), { longs: String, bytes: String, enums: Number });
        expect(withoutEmpty(received)).toEqual(withoutEmpty(sent));
      }),
      { numRuns: 40 },
    );
  });

  it('has only attributes that OpenTelemetry defines or whose names begin with “podium.”', () => {
    const known = new Set<unknown>(Object.values(incubating));
    const { spans } = exported(exportedRun('run-1', [GRADE]), true);
    const names = spans.flatMap(({ attributes, events = [] }) =>
      [...attributes, ...events.flatMap((event) => event.attributes)].map(({ key }) => key),
    );
    expect(names.filter((name) => !known.has(name) && !name.startsWith('podium.'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('gen_ai.')).length).toBeGreaterThan(20);
    expect(spans.flatMap(({ events = [] }) => events.map(({ name }) => name))).toEqual([
      incubating.EVENT_GEN_AI_EVALUATION_RESULT,
    ]);
  });

  it('has a span for the run, each plan and each call', () => {
    const { spans } = exported(exportedRun());
    const [run, ...others] = spans;
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['invoke_workflow Planner', 1],
      ['plan Planner', 1],
      ['chat large-1', 3],
      ['chat large-1', 3],
      ['chat simulated', 1],
    ]);
    expect(others.every(({ parentSpanId }) => parentSpanId === run?.spanId)).toBe(true);
    expect(plain(spans[3]?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'mistral_ai',
      'gen_ai.request.model': 'large-1',
      'gen_ai.request.temperature': 0.2,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.usage.input_tokens': '10',
      'gen_ai.usage.reasoning.output_tokens': '3',
      'gen_ai.usage.cache_read.input_tokens': '4',
      'gen_ai.response.time_to_first_chunk': 0.1,
      'server.address': 'api.mistral.ai',
      'server.port': '443',
      'podium.attempt': '1',
      'podium.cost.usd': 0.001,
    });
    expect(plain(spans[1]?.attributes ?? [])).toMatchObject({ 'server.address': 'localhost', 'server.port': '8080' });
    expect(spans[4]).toMatchObject({ status: { code: 2 } });
    expect(plain(spans[4]?.attributes ?? [])).toMatchObject({ 'error.type': 'overloaded' });
  });

  it('has the output limit of a call as lowered by a budget', () => {
    const lowered = exportedRun().map((event) =>
      event.type === 'step-finished' ? { ...event, outputLimit: 512 } : event,
    );
    expect(plain(exported(lowered).spans[3]?.attributes ?? [])).toMatchObject({ 'gen_ai.request.max_tokens': '512' });
  });

  it('adds up the tokens and the costs of the calls for a plan, including candidates and retries', () => {
    const { spans } = exported(plannedAgain());
    const plans = spans.flatMap(({ name, attributes }) => (name === 'plan Planner' ? [plain(attributes)] : []));
    expect(plans).toHaveLength(2);
    expect(plans[0]).toMatchObject({ 'gen_ai.usage.input_tokens': '10', 'podium.plan.candidates': '1' });
    expect(plans[0], 'the cost of an interrupted call is unknown').not.toHaveProperty(['podium.cost.usd']);
    expect(plans[1]).toMatchObject({
      'gen_ai.usage.input_tokens': '50',
      'gen_ai.usage.output_tokens': '8',
      'gen_ai.usage.cache_read.input_tokens': '5',
      'podium.plan.candidates': '2',
      'podium.plan.retries': '2',
      'podium.cost.usd': expect.closeTo(0.15, 12) as number,
    });
    expect(plans[1]).not.toHaveProperty(['gen_ai.usage.reasoning.output_tokens']);
  });

  it('contains texts of the run only if the user includes the content', () => {
    const events = exportedRun('run-1', [GRADE]);
    const texts = [
      'A private riddle',
      'the plan as text',
      'forty',
      'I thought about it',
      'I looked it up',
      'secret detail',
    ];
    const [without, withContent] = [exported(events).json, exported(events, true).json];
    expect(texts.filter((text) => without.includes(text))).toEqual([]);
    expect(texts.filter((text) => !withContent.includes(text))).toEqual([]);
  });

  it('has the same ids in each export of a run, and different ids for another run', () => {
    const ids = (events: readonly StoredEvent[]) =>
      exported(events).spans.flatMap(({ traceId, spanId }) => [traceId, spanId]);
    expect(ids(exportedRun('a'))).toEqual(ids(exportedRun('a')));
    const both = new Set([...ids(exportedRun('a')), ...ids(exportedRun('b'))]);
    // Each run has one trace and five spans.
    expect(both.size).toBe(2 * 6);
  });

  it('has a run span that includes the pause before the run was resumed', () => {
    const day = 24 * 60 * 60 * 1000;
    const started = exportedRun().map((event, index) => (index < 11 ? event : { ...event, at: event.at + day }));
    const [run] = exported(started).spans;
    const length = BigInt(run?.endTimeUnixNano ?? 0) - BigInt(run?.startTimeUnixNano ?? 0);
    expect(length).toBeGreaterThan(BigInt(day) * 1_000_000n);
  });
});

/** Removes empty lists, because protocol buffers do not distinguish them from missing lists. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => !(Array.isArray(each) && each.length === 0));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutEmpty(each)]));
}
