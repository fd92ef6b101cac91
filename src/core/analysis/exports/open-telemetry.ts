/**
 * @file Converts a run to a trace in OTLP JSON that follows OpenTelemetry's conventions for generative AI. The run is an
 * `invoke_workflow` span, its plans are `plan` spans, and the worker calls are `chat` spans. Attributes that the conventions
 * don't define have names that begin with `podium.`.
 */
import {
  judgeRun,
  renderPrompt,
  sha256Hex,
  sourcesOf,
  FaultError,
  withFiles,
  type Attempt,
  type FinishReason,
  type Message,
  type Plan,
  type PromptMessage,
  type Run,
  type StoredEvent,
} from '../../contract';
import { planCalls, plansOf, type PlanCall } from '../plan-calls';
import { roleOf } from '../roles';
import { attributesOf, nanoseconds, SPAN_KIND, STATUS, type Attributes, type OtlpEvent, type OtlpSpan } from './otlp';
import { between, samplingOfCall, stepsOf, usageOf, type RunStep } from './step-figures';
import type { RunRecord } from './table';
import { wallClockOf, type WallClock } from './wall-clock';

/** Identifies the version of the conventions. */
const SCHEMA_URL = 'https://opentelemetry.io/schemas/gen-ai/1.42.0';

export interface TraceOptions {
  /** Whether the trace includes questions, prompts, outputs, comments on grades and error messages. */
  readonly content: boolean;
  /** The version of Podium. */
  readonly app: string;
}

interface Trace extends RunRecord, TraceOptions {
  readonly traceId: string;
  readonly clock: WallClock;
}

/** The trace of a run as a `TracesData` message of OTLP. Exporting a run again gives the same ids. */
export function traceOf(record: RunRecord, options: TraceOptions): object {
  const { run, events } = record;
  const trace: Trace = {
    ...record,
    ...options,
    traceId: sha256Hex(`podium/${run.id}`).slice(0, 32),
    clock: wallClockOf(events),
  };
  const plans = run.rounds.flatMap((round) =>
    plansOf(round).map((plan, index) => planSpan(trace, plan, round.round, index)),
  );
  const calls = stepsOf(run).flatMap((step) => step.step.attempts.flatMap((attempt) => callSpan(trace, step, attempt)));
  const service = { 'service.name': 'podium', 'service.version': options.app };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(service) },
        scopeSpans: [
          {
            scope: { name: 'podium', version: options.app },
            spans: [runSpan(trace), ...plans, ...calls],
            schemaUrl: SCHEMA_URL,
          },
        ],
      },
    ],
  };
}

function runSpan(trace: Trace): OtlpSpan {
  const { run, facts, clock, content, traceId } = trace;
  const { reward, format } = judgeRun(run);
  const question = [{ role: 'user', content: withFiles(run.question.text, run.question.files) }] as const;
  return {
    traceId,
    spanId: spanId(run, 'run'),
    name: `invoke_workflow ${run.conductor.label}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: nanoseconds(run.startedAt),
    endTimeUnixNano: nanoseconds(Math.max(run.startedAt, clock(run.time))),
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': run.conductor.label,
      'error.type': run.fault?.code,
      'gen_ai.input.messages': content ? inputMessages(question) : null,
      'gen_ai.output.messages': content && run.answer !== null ? outputMessages(run.answer, '', 'stop') : null,
      'podium.run.id': run.id,
      'podium.run.status': run.status,
      'podium.run.ended_early': run.early ? true : null,
      'podium.run.time_ms': run.time,
      'podium.conductor.kind': run.conductor.kind,
      'podium.plan.valid': format,
      'podium.reward': reward,
      'podium.cost.usd': run.spent.unpriced > 0 ? null : run.spent.usd,
      'podium.cost.known_usd': run.spent.unpriced > 0 && run.spent.usd === 0 ? null : run.spent.usd,
      'podium.calls.unpriced': BigInt(run.spent.unpriced),
      'podium.seed': BigInt(run.seed),
      'podium.labels': run.labels.length > 0 ? run.labels : null,
      'podium.parent.run.id': run.parent?.runId,
      'podium.follows.run.id': run.question.context?.runId,
      'podium.batch.id': run.batch?.id,
      'podium.batch.dataset': run.batch?.dataset,
      'podium.batch.task': run.batch?.task,
      'podium.batch.method': run.batch?.method,
      'podium.batch.name': facts?.batch ?? undefined,
      'podium.batch.dataset_name': facts?.dataset ?? undefined,
      'podium.batch.method_name': facts?.method ?? undefined,
      'podium.batch.repeat': run.batch && BigInt(run.batch.repeat),
    }),
    events: gradeEvents(trace),
    ...statusOf(run.fault, content, run.status === 'finished'),
  };
}

function planSpan(trace: Trace, plan: Plan, round: number, index: number): OtlpSpan {
  const { run, clock, content, traceId } = trace;
  const { conductor, sampling } = plan;
  const calls = planCalls(run, plan);
  return {
    traceId,
    spanId: spanId(run, 'plan', round, index),
    parentSpanId: spanId(run, 'run'),
    name: `plan ${conductor.label}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: nanoseconds(clock(plan.startedAt)),
    endTimeUnixNano: nanoseconds(clock(plan.endedAt ?? run.time)),
    attributes: attributesOf({
      'gen_ai.operation.name': 'plan',
      'gen_ai.agent.name': conductor.label,
      'gen_ai.provider.name': providerName(trace, conductor.origin ?? null, conductor.kind),
      ...serverOf(conductor.origin ?? null),
      'error.type': plan.fault?.code ?? plan.problem?.code,
      'gen_ai.request.model': conductor.model,
      'gen_ai.request.temperature': sampling?.temperature,
      'gen_ai.request.max_tokens': sampling && BigInt(sampling.maxTokens),
      ...usageAttributes(calls),
      ...finishReasons(plan.finishReason),
      'gen_ai.input.messages': content && plan.messages.length > 0 ? inputMessages(rendered(run, plan.messages)) : null,
      'gen_ai.output.messages':
        content && plan.text !== '' ? outputMessages(plan.text, plan.reasoning, plan.finishReason) : null,
      'podium.round': BigInt(round),
      'podium.plan.status': plan.status,
      'podium.plan.source': plan.source,
      'podium.plan.edited': plan.edited,
      'podium.plan.retries': BigInt(plan.retries.length),
      'podium.plan.candidates': BigInt(plan.candidates.length),
      'podium.plan.steps': plan.workflow && BigInt(plan.workflow.steps.length),
      'podium.cost.usd': costOf(calls),
    }),
    ...statusOf(plan.fault, content, plan.status === 'finished'),
  };
}

/** The cost of a plan's calls in US dollars. `null`: there were no calls, or the cost of a call is unknown. */
function costOf(calls: readonly PlanCall[]): number | null {
  const known = calls.flatMap(({ cost }) => cost ?? []);
  return calls.length === 0 || known.length < calls.length ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** The span of a worker call. Empty if the call was never sent. */
function callSpan(trace: Trace, { run, round, step, steps }: RunStep, attempt: Attempt): readonly OtlpSpan[] {
  const { clock, content, traceId } = trace;
  const { worker, leftAt } = attempt;
  if (leftAt === null) return [];
  const kind = worker?.kind ?? 'endpoint';
  const model = worker?.model ?? '';
  const sampling = samplingOfCall(run, attempt);
  const firstChunk = between(leftAt, attempt.firstTokenAt);
  return [
    {
      traceId,
      spanId: spanId(run, 'step', round, step.index, attempt.attempt, step.status === 'discarded'),
      parentSpanId: spanId(run, 'run'),
      name: model === '' ? 'chat' : `chat ${model}`,
      kind: kind === 'endpoint' ? SPAN_KIND.client : SPAN_KIND.internal,
      startTimeUnixNano: nanoseconds(clock(leftAt)),
      endTimeUnixNano: nanoseconds(clock(attempt.endedAt ?? run.time)),
      attributes: attributesOf({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerName(trace, worker?.origin ?? null, kind),
        ...serverOf(worker?.origin ?? null),
        'error.type': attempt.fault?.code,
        'gen_ai.request.model': model === '' ? null : model,
        ...(kind === 'endpoint' || kind === 'local' ? requestOf(sampling) : {}),
        'gen_ai.response.time_to_first_chunk': firstChunk === null ? null : firstChunk / 1000,
        ...finishReasons(attempt.finishReason),
        ...usageAttributes([attempt]),
        'gen_ai.input.messages': content ? inputMessages(rendered(run, attempt.messages)) : null,
        'gen_ai.output.messages':
          content && attempt.endedAt !== null
            ? outputMessages(attempt.output, attempt.reasoning, attempt.finishReason)
            : null,
        'podium.round': BigInt(round),
        'podium.step': BigInt(step.index),
        'podium.attempt': BigInt(attempt.attempt),
        'podium.access': step.step.access.map(BigInt),
        'podium.role': roleOf(
          steps.map((each) => each.step),
          steps.indexOf(step),
        ),
        'podium.worker.id': attempt.workerId,
        'podium.worker.name': worker?.name,
        'podium.worker.kind': worker?.kind,
        'podium.wait_ms': between(attempt.startedAt, leftAt),
        'podium.cost.usd': attempt.cost,
        'podium.tokens.estimated': attempt.usage?.estimated,
      }),
      ...statusOf(attempt.fault, content, attempt.status === 'finished'),
    },
  ];
}

/** One event each time a grade was set or removed, in order. If the grade was removed, the event's label is `withdrawn`. */
function gradeEvents({ events, content }: Trace): readonly OtlpEvent[] {
  return events.flatMap((event) => (isGrade(event) ? gradeEvent(event, content) : []));
}

type GradeEvent = Extract<StoredEvent, { readonly by: 'person' | 'grader' }>;

function isGrade(event: StoredEvent): event is GradeEvent {
  return event.type === 'run-graded' && 'by' in event;
}

function gradeEvent({ at, correct, by, detail }: GradeEvent, content: boolean): OtlpEvent {
  return {
    name: 'gen_ai.evaluation.result',
    timeUnixNano: nanoseconds(at),
    attributes: attributesOf({
      'gen_ai.evaluation.name': 'correct',
      'gen_ai.evaluation.score.value': correct === null ? null : Number(correct),
      'gen_ai.evaluation.score.label': correct === null ? 'withdrawn' : correct ? 'correct' : 'incorrect',
      'gen_ai.evaluation.explanation': content && detail !== '' ? detail : null,
      'podium.graded_by': by,
    }),
  };
}

function requestOf(sampling: Run['sampling']): Attributes {
  const { temperature, maxTokens, topP, topK, presencePenalty } = sampling;
  return {
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.max_tokens': BigInt(maxTokens),
    'gen_ai.request.top_p': topP,
    'gen_ai.request.top_k': topK,
    'gen_ai.request.presence_penalty': presencePenalty,
    'gen_ai.request.stream': true,
  };
}

/** The token counts of all these calls together. */
function usageAttributes(calls: readonly Pick<Attempt, 'usage'>[]): Attributes {
  const usage = usageOf(calls);
  if (!usage) return {};
  const { input, output, reasoning, cached } = usage;
  return {
    'gen_ai.usage.input_tokens': BigInt(input),
    'gen_ai.usage.output_tokens': BigInt(output),
    'gen_ai.usage.reasoning.output_tokens': reasoning === undefined ? null : BigInt(reasoning),
    'gen_ai.usage.cache_read.input_tokens': cached === undefined ? null : BigInt(cached),
  };
}

function finishReasons(reason: FinishReason): Attributes {
  return { 'gen_ai.response.finish_reasons': reason === null ? null : [reason.replace('-', '_')] };
}

function serverOf(origin: string | null): Attributes {
  if (origin === null || !URL.canParse(origin)) return {};
  const { hostname, protocol, host } = new URL(origin);
  const port = host.slice(hostname.length + 1);
  return {
    'server.address': hostname,
    'server.port': BigInt(port === '' ? (protocol === 'http:' ? 80 : 443) : port),
  };
}

/**
 * The provider's name in OpenTelemetry. `custom`: the provider is unknown. If the worker or Conductor calls no server, the name
 * is `podium.` followed by the kind of worker or Conductor, such as `podium.simulated`.
 */
function providerName({ providerOf }: Trace, origin: string | null, kind: string): string {
  return origin === null ? `podium.${kind}` : (providerOf(origin) ?? 'custom');
}

function statusOf(
  fault: { readonly message: string } | null,
  content: boolean,
  isFinished: boolean,
): Pick<OtlpSpan, 'status'> {
  // The message of a fault may quote text from a provider or a worker, so it counts as content.
  if (fault) return { status: { code: STATUS.error, ...(content && { message: fault.message }) } };
  return isFinished ? { status: { code: STATUS.ok } } : {};
}

/** The messages of a prompt. Empty if the prompt can't be rendered because the run is damaged. */
function rendered(run: Run, messages: readonly PromptMessage[]): readonly Message[] {
  try {
    return renderPrompt(messages, sourcesOf(run));
  } catch (thrown) {
    if (thrown instanceof FaultError) return [];
    throw thrown;
  }
}

/** The messages as JSON text, a form that the conventions allow for span attributes. */
function inputMessages(messages: readonly Pick<Message, 'role' | 'content'>[]): string {
  return JSON.stringify(messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] })));
}

function outputMessages(content: string, reasoning: string, reason: FinishReason): string {
  const parts = [...(reasoning === '' ? [] : [{ type: 'reasoning', content: reasoning }]), { type: 'text', content }];
  return JSON.stringify([{ role: 'assistant', parts, finish_reason: (reason ?? 'stop').replace('-', '_') }]);
}

/** The id of a span. It depends only on the run's id and on `part`, e.g. a step and its attempt. */
function spanId(run: Run, ...part: readonly (string | number | boolean)[]): string {
  return sha256Hex(`podium/${run.id}/${part.join('/')}`).slice(0, 16);
}
