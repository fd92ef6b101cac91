/** @file Converts a model's output and token usage to the fields of an Inspect eval log. */
import type { Attempt, FinishReason, Plan, Run, Usage } from '../../contract';
import { planCalls, plansOf } from '../plan-calls';
import { stepsOf, usageOf } from './step-figures';

/**
 * The output of a model call or of a whole run as Inspect's `ModelOutput`.
 * @param text `null`: there is no output
 * @param time duration of the call or run, ms. `null`: unknown
 */
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
 * Adds up the token counts of all calls for plans and steps, by model. Leaves out calls without token counts. A sum has no
 * cost if any of its calls has an unknown cost.
 */
export function usageByModel(run: Run): Readonly<Record<string, object | null>> {
  const calls = new Map<string, Pick<Attempt, 'usage' | 'cost'>[]>();
  const add = (model: string, call: Pick<Attempt, 'usage' | 'cost'>) => {
    if (!call.usage) return;
    const own = calls.get(model);
    if (own) own.push(call);
    else calls.set(model, [call]);
  };
  for (const plan of run.rounds.flatMap(plansOf)) {
    for (const call of planCalls(run, plan)) add(conductorModel(plan), call);
  }
  for (const { step } of stepsOf(run)) {
    for (const attempt of step.attempts) add(attempt.worker ? modelName(attempt.worker) : 'unknown', attempt);
  }
  return Object.fromEntries([...calls].map(([model, own]) => [model, modelUsage(usageOf(own), costOf(own))]));
}

/** The total cost of the calls in US dollars. `null`: the cost of a call is unknown. */
function costOf(calls: readonly Pick<Attempt, 'cost'>[]): number | null {
  return calls.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0);
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
