/** @file Converts a model's output and token usage to the fields of an Inspect eval log. */
import type { FinishReason, Plan, Run, Usage } from '../../contract';
import { planCalls, plansOf } from '../plan-calls';
import { stepsOf } from './step-figures';

/** @param time duration of the call, ms. `null`: unknown */
export function modelOutput(
  model: string,
  text: string | null,
  reasoning: string,
  reason: FinishReason,
  usage: object | null,
  time: number | null,
): object {
  const content =
    reasoning === ''
      ? (text ?? '')
      : [
          { type: 'reasoning', reasoning, redacted: false },
          { type: 'text', text: text ?? '' },
        ];
  const message = { role: 'assistant', content, source: 'generate', model };
  return {
    model,
    choices: text === null ? [] : [{ message, stop_reason: stopReason(reason) }],
    completion: text ?? '',
    ...(usage && { usage }),
    ...(time !== null && { time: time / 1000 }),
  };
}

function stopReason(reason: FinishReason): string {
  switch (reason) {
    case 'stop':
      return 'stop';
    case 'length':
      return 'max_tokens';
    case 'content-filter':
      return 'content_filter';
    case 'other':
    case null:
      return 'unknown';
    default:
      return reason satisfies never;
  }
}

export function modelUsage(usage: Usage | null, cost: number | null): object | null {
  if (!usage) return null;
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached === undefined ? {} : { input_tokens_cache_read: usage.cached }),
    ...(usage.reasoning === undefined ? {} : { reasoning_tokens: usage.reasoning }),
    ...(cost === null ? {} : { total_cost: cost }),
  };
}

/**
 * Adds up the token counts of all calls for plans and steps, by model. Calls without token counts are left out. A model's sum
 * has no cost if the cost of one of its counted calls is unknown.
 */
export function usageByModel(run: Run): Readonly<Record<string, object | null>> {
  const sums = new Map<string, { usage: Usage; cost: number | null }>();
  const add = (model: string, usage: Usage | null, cost: number | null) => {
    if (!usage) return;
    const before = sums.get(model);
    if (!before) sums.set(model, { usage, cost });
    else {
      sums.set(model, {
        usage: {
          input: before.usage.input + usage.input,
          output: before.usage.output + usage.output,
          reasoning: (before.usage.reasoning ?? 0) + (usage.reasoning ?? 0),
          cached: (before.usage.cached ?? 0) + (usage.cached ?? 0),
        },
        cost: before.cost === null || cost === null ? null : before.cost + cost,
      });
    }
  };
  for (const plan of run.rounds.flatMap(plansOf)) {
    for (const { usage, cost } of planCalls(run, plan)) add(conductorModel(plan), usage, cost);
  }
  for (const { step } of stepsOf(run)) {
    for (const { worker, usage, cost } of step.attempts) add(worker ? modelName(worker) : 'unknown', usage, cost);
  }
  return Object.fromEntries([...sums].map(([model, { usage, cost }]) => [model, modelUsage(usage, cost)]));
}

/** The model that wrote a plan. */
export function conductorModel({ conductor }: Plan): string {
  return conductor.model ?? conductor.label;
}

export function modelName({ name, model }: { readonly name: string; readonly model: string }): string {
  return model === '' ? name : model;
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
