/** @file Converts the plans and calls of a run to events of an eval log of Inspect (see `inspect-log.ts`). */
import {
  FaultError,
  renderPrompt,
  samplingOf,
  sourcesOf,
  type Attempt,
  type Plan,
  type PromptMessage,
  type Run,
} from '../../contract';
import { roleOf } from '../roles';
import { iso, modelName, modelOutput, modelUsage } from './inspect-model';
import { between, type RunStep } from './step-figures';
import type { WallClock } from './wall-clock';

export function planEvents(run: Run, plan: Plan, round: number, clock: WallClock): readonly object[] {
  // A plan without a prompt was not written by a model.
  if (plan.messages.length === 0) return [];
  const end = plan.endedAt ?? run.time;
  const span = { id: `plan-${round}`, name: `plan, round ${round + 1}`, type: 'plan' };
  const call = {
    ...moment(clock, plan.startedAt),
    event: 'model',
    span_id: span.id,
    model: plan.conductor.model ?? plan.conductor.label,
    role: 'conductor',
    input: inputOf(run, plan.messages),
    tools: [],
    tool_choice: 'none',
    config: plan.sampling ? { temperature: plan.sampling.temperature, max_tokens: plan.sampling.maxTokens } : {},
    output: modelOutput(
      plan.conductor.model ?? plan.conductor.label,
      plan.text,
      plan.reasoning,
      plan.finishReason,
      modelUsage(plan.usage, plan.cost),
      end - plan.startedAt,
    ),
    completed: iso(clock(end)),
    working_time: (end - plan.startedAt) / 1000,
    ...(plan.fault ? { error: plan.fault.message } : {}),
  };
  return spanOf(span, { workers: run.pool.map(({ name }) => name), valid: plan.problem === null }, [call], {
    clock,
    from: plan.startedAt,
    to: end,
  });
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
  const { temperature, maxTokens } = worker ? samplingOf(worker, run.sampling) : run.sampling;
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
