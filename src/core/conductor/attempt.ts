/** @file Makes one attempt to get a workflow from a language model: streams the text, and parses it at the end. */
import {
  abortError,
  accountFor,
  fault,
  toFault,
  withDelta,
  type Account,
  type ChannelTexts,
  type Charged,
  type EngineEvent,
  type EngineSpeed,
  type Fault,
  type FinishReason,
  type GenerateRequest,
  type PlanEvent,
  type PlanProblem,
  type Step,
  type TextEngine,
  type Usage,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import { parseWorkflow, type ParsedWorkflow } from './parse';
import { parseJsonWorkflow } from './json-form';
import type { PlanTimer } from './plan-timer';
import { createPlanReader } from './stream';

/** The outcome of an attempt. */
export type Outcome =
  | { readonly kind: 'valid'; readonly workflow: Workflow; readonly thought: string }
  | { readonly kind: 'invalid'; readonly problem: PlanProblem }
  | { readonly kind: 'fault'; readonly fault: Fault };

export interface PlanAttempt {
  readonly outcome: Outcome;
  /** The whole answer, without the reasoning. */
  readonly text: string;
  /**
   * The usage that the engine reported, or else an estimate, which is marked as estimated. `null` if the provider
   * rejected the call before the model started, or if a paid call stalled before any text arrived.
   */
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly billed?: boolean;
  readonly finishReason: FinishReason;
  /** The speed that the engine measured. Absent if it measured none. */
  readonly speed?: EngineSpeed;
}

export interface AttemptRequest {
  readonly engine: TextEngine;
  /** The fields of the Conductor that determine the cost of the call, such as the price. */
  readonly charged: Charged;
  readonly request: GenerateRequest;
  readonly limits: WorkflowLimits;
  /** Whether to yield an event for each step as soon as it is final. Requires an engine that enforces the grammar. */
  readonly announceSteps: boolean;
  /** The steps that the policy chose. Set if the model writes only their subtasks. */
  readonly skeleton?: readonly Step[];
  /** The fixed text after the last subtask. The grammar ends before this text, so it is appended to a complete answer. */
  readonly rest?: string;
  /** Stops the model at the plan's time limit. `null`: the plan has no time limit. */
  readonly timer: PlanTimer | null;
}

type Ending = Exclude<EngineEvent, { type: 'delta' }>;

/**
 * Makes the attempt. Yields events for text and for waiting. If `announceSteps` is set, also yields an event for each final
 * step. Throws only an `AbortError`.
 */
export async function* attemptPlan(
  { engine, charged, request, limits, announceSteps, skeleton, rest = '', timer }: AttemptRequest,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, PlanAttempt> {
  const given = skeleton ? { skeleton: { steps: skeleton } } : {};
  const reader = announceSteps ? createPlanReader({ ...limits, ...given }) : null;
  let texts: ChannelTexts = { content: '', reasoning: '' };
  let usageSoFar: Usage | null = null;
  let ending: Ending | null = null;
  const stop = timer ? AbortSignal.any([signal, timer.signal]) : signal;
  try {
    timer?.start();
    for await (const event of engine.generate(request, stop)) {
      if (event.type === 'waiting') {
        if (event.for === null) timer?.start();
        else timer?.pause();
        yield { type: 'plan-waiting', for: event.for, delay: event.delay };
        continue;
      }
      if (event.type !== 'delta') {
        ending = event;
        break;
      }
      const { type: _delta, usage, ...delta } = event;
      usageSoFar = usage ?? usageSoFar;
      yield { type: 'plan-delta', ...delta };
      texts = withDelta(texts, delta);
      if (delta.channel === 'reasoning') continue;
      for (const { index, step } of reader?.push(event.text) ?? []) {
        yield { type: 'plan-step-known', index, step: withRole(step, skeleton?.[index]) };
      }
    }
  } catch (thrown) {
    if (signal.aborted) throw abortError();
    if (!timer?.signal.aborted) ending = failedWith(toFault(thrown));
  } finally {
    timer?.pause();
  }
  if (signal.aborted) throw abortError();
  const { reasoning } = texts;
  let text = texts.content;
  const last = ending ?? failedWith(timer?.signal.aborted ? timer.fault : brokenOff(engine));
  const { messages, maxTokens } = request;
  const why = last.type === 'failed' ? last.fault : null;
  const reported = { ...last, usage: last.usage ?? usageSoFar };
  const call = { worker: charged, messages, output: text, reasoning, maxTokens, reported, fault: why };
  const account = accountFor(call);
  if (rest !== '' && isWhole(last) && text.endsWith('"')) {
    yield { type: 'plan-delta', channel: 'content', text: rest };
    text += rest;
  }
  return readEnding({ ...last, ...account }, text, { limits, skeleton, isJson: request.schema !== undefined });
}

function isWhole(ending: Ending): boolean {
  return ending.type === 'finished' && ending.finishReason !== 'length';
}

interface Rules {
  readonly limits: WorkflowLimits;
  readonly skeleton: readonly Step[] | undefined;
  readonly isJson: boolean;
}

function readEnding(ending: Ending & Account, text: string, { limits, skeleton, isJson }: Rules): PlanAttempt {
  const { usage, cost, billed } = ending;
  const bill = billed ? { usage, cost, billed } : { usage, cost };
  if (ending.type === 'failed') {
    return { outcome: { kind: 'fault', fault: ending.fault }, text, ...bill, finishReason: null };
  }
  const { finishReason, speed } = ending;
  const cutOff = finishReason === null ? {} : { cutOff: finishReason === 'length' };
  const rules = { ...limits, ...cutOff };
  const read = isJson ? parseJsonWorkflow(text, rules, skeleton) : parseWorkflow(text, rules);
  const parsed = heldTo(skeleton, read);
  const outcome: Outcome = parsed.ok
    ? { kind: 'valid', workflow: parsed.workflow, thought: parsed.thought }
    : { kind: 'invalid', problem: parsed.problem };
  return { outcome, text, ...bill, finishReason, ...(speed ? { speed } : {}) };
}

function failedWith(fault: Fault): Ending {
  return { type: 'failed', fault, usage: null, cost: null };
}

function brokenOff(engine: TextEngine): Fault {
  const message = `${engine.info.model} stopped in the middle of the plan. Run the question again.`;
  return fault('cut-off', message, { retryable: true });
}

// Checks workflows whose steps the policy chose and whose subtasks a model wrote. The model must keep
// the workers and the access of the given steps. The model does not write roles, so `heldTo` adds the
// roles of the given steps.

/**
 * The parsed workflow with the roles of the given steps. Returns a problem if the number of steps, a worker or the access of a
 * step differs. Without given steps, returns `parsed` unchanged.
 */
export function heldTo(given: readonly Step[] | undefined, parsed: ParsedWorkflow): ParsedWorkflow {
  if (!given || !parsed.ok) return parsed;
  const { steps } = parsed.workflow;
  const problem = difference(given, steps);
  if (problem) return { ok: false, problem };
  return { ...parsed, workflow: { steps: steps.map((step, index) => withRole(step, given[index])) } };
}

/** `step` with the role of `given`. Unchanged if `given` has no role. */
function withRole(step: Step, given: Step | undefined): Step {
  return given?.role ? { ...step, role: given.role } : step;
}

function difference(given: readonly Step[], steps: readonly Step[]): PlanProblem | null {
  if (steps.length !== given.length) {
    const message = `The workflow has ${steps.length} steps, but ${given.length} were given.`;
    return { code: 'unequal-lengths', message, at: Math.min(steps.length, given.length) };
  }
  for (const [index, { worker, access }] of steps.entries()) {
    const wanted = given[index];
    if (wanted?.worker !== worker) {
      const message = `Step ${index + 1} names worker ${worker}, but worker ${wanted?.worker ?? 0} was given.`;
      return { code: 'wrong-type', message, at: index };
    }
    if (wanted.access.join() !== access.join()) {
      const message = `Step ${index + 1} sees other steps than was given.`;
      return { code: 'wrong-type', message, at: index };
    }
  }
  return null;
}
