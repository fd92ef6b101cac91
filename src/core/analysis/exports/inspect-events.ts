/** @file Converts the plans and calls of a run to events in the log format of Inspect (see `inspect-log.ts`). */
import {
  FaultError,
  renderPrompt,
  sourcesOf,
  type Attempt,
  type Plan,
  type PromptMessage,
  type Round,
  type Run,
} from '../../contract';
import { planCalls, plansOf, type PlanCall } from '../plan-calls';
import { roleOf } from '../roles';
import { conductorModel, iso, modelName, modelOutput, modelUsage } from './inspect-model';
import { between, samplingOfCall, type RunStep } from './step-figures';
import type { WallClock } from './wall-clock';

/** One span for each plan that a model wrote in a round. The span contains an event for each call that wrote the plan. */
export function planEvents(run: Run, round: Round, clock: WallClock): readonly object[] {
  return plansOf(round).flatMap((plan, index) => {
    const calls = planCalls(run, plan);
    const [first] = calls;
    // If no model wrote the plan, the plan has no calls.
    if (!first) return [];
    const isLost = plan !== round.plan;
    const id = isLost ? `plan-${round.round}-lost-${index}` : `plan-${round.round}`;
    const name = `plan, round ${round.round + 1}${isLost ? ', replaced' : ''}`;
    return spanOf(
      { id, name, type: 'plan' },
      { workers: run.pool.map((worker) => worker.name), valid: plan.problem === null },
      calls.map((call) => planCallEvent(run, plan, call, id, clock)),
      { clock, from: plan.startedAt, to: plan.endedAt ?? run.time },
    );
  });
}

function planCallEvent(run: Run, plan: Plan, call: PlanCall, span: string, clock: WallClock): object {
  const { text, reasoning, finishReason, usage, cost, startedAt, endedAt, fault, maxTokens } = call;
  const model = conductorModel(plan);
  const time = endedAt - startedAt;
  return {
    ...moment(clock, startedAt),
    event: 'model',
    span_id: span,
    model,
    role: 'conductor',
    input: inputOf(run, plan.messages),
    tools: [],
    tool_choice: 'none',
    config: {
      ...(plan.sampling && { temperature: plan.sampling.temperature }),
      ...(maxTokens !== null && { max_tokens: maxTokens }),
    },
    output: modelOutput(model, text, reasoning, finishReason, modelUsage(usage, cost), time),
    completed: iso(clock(endedAt)),
    working_time: time / 1000,
    ...(fault ? { error: fault.message } : {}),
  };
}

export function stepEvents(of: RunStep, clock: WallClock): readonly object[] {
  const { run, round, step, steps, worker } = of;
  const calls = step.attempts.filter(({ leftAt }) => leftAt !== null);
  const [first] = calls;
  if (!first) return [];
  const id = `step-${round}-${step.index}${step.status === 'discarded' ? '-discarded' : ''}`;
  const role = roleOf(
    steps.map((each) => each.step),
    steps.indexOf(step),
  );
  const metadata = {
    round,
    step: step.index,
    role,
    access: step.step.access,
    sees_earlier: step.step.seesEarlier === true,
    subtask: step.step.subtask,
    worker: worker?.name ?? null,
    worker_kind: worker?.kind ?? null,
    status: step.status,
  };
  return spanOf(
    { id, name: `step ${step.index + 1}, ${role}`, type: 'step' },
    metadata,
    calls.map((call) => callEvent(of, call, id, role, clock)),
    { clock, from: first.startedAt, to: calls.at(-1)?.endedAt ?? run.time },
  );
}

function callEvent({ run }: RunStep, attempt: Attempt, span: string, role: string, clock: WallClock): object {
  const { worker, startedAt, leftAt } = attempt;
  const end = attempt.endedAt ?? run.time;
  const model = worker ? modelName(worker) : 'unknown';
  const { temperature, maxTokens } = samplingOfCall(run, attempt);
  return {
    ...moment(clock, leftAt ?? startedAt),
    event: 'model',
    span_id: span,
    model,
    role,
    input: inputOf(run, attempt.messages),
    tools: [],
    tool_choice: 'none',
    config: { temperature, max_tokens: maxTokens },
    output: modelOutput(
      model,
      attempt.output,
      attempt.reasoning,
      attempt.finishReason,
      modelUsage(attempt.usage, attempt.cost),
      between(leftAt, end),
    ),
    retries: attempt.attempt,
    completed: iso(clock(end)),
    working_time: (between(leftAt, end) ?? 0) / 1000,
    ...(attempt.fault ? { error: attempt.fault.message } : {}),
  };
}

interface Span {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

interface Extent {
  readonly clock: WallClock;
  readonly from: number;
  readonly to: number;
}

function spanOf(
  span: Span,
  metadata: object,
  inside: readonly object[],
  { clock, from, to }: Extent,
): readonly object[] {
  return [
    { ...moment(clock, from), event: 'span_begin', ...span, span_id: span.id, metadata },
    ...inside,
    { ...moment(clock, to), event: 'span_end', id: span.id, span_id: span.id },
  ];
}

function moment(clock: WallClock, time: number): object {
  return { timestamp: iso(clock(time)), working_start: time / 1000 };
}

function inputOf(run: Run, messages: readonly PromptMessage[]): readonly object[] {
  try {
    return renderPrompt(messages, sourcesOf(run)).map(({ role, content }) => ({ role, content }));
  } catch (thrown) {
    // The prompt of a damaged run cannot be rendered.
    if (thrown instanceof FaultError) return [];
    throw thrown;
  }
}
