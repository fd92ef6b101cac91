/** @file The usage and the cost of a run, in the format of the OpenAI API. */
import { planCalls, plansOf } from '../../../core/analysis/plan-calls';
import type { Run } from '../../../core/contract';

/** The tokens of all calls of a run, including the Conductor's calls. */
export interface RunUsage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that providers read from a cache. `null`: no provider reported it. */
  readonly cached: number | null;
  /** The part of `output` used for reasoning. `null`: unknown. */
  readonly reasoning: number | null;
  /** US dollars. `null`: the cost of a call is unknown. */
  readonly cost: number | null;
}

export function usageOf(run: Run): RunUsage {
  const { input, output, usd, unpriced } = run.spent;
  const usages = run.rounds.flatMap((round) => [
    ...plansOf(round).flatMap((plan) => planCalls(run, plan)),
    ...[...round.steps, ...round.discarded].flatMap(({ attempts }) => attempts),
  ]);
  const sumOf = (part: 'cached' | 'reasoning') => sum(usages.flatMap(({ usage }) => usage?.[part] ?? []));
  return { input, output, cached: sumOf('cached'), reasoning: sumOf('reasoning'), cost: unpriced > 0 ? null : usd };
}

function sum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}

/** The field `usage` of a chat completion. What is unknown is left out. */
export function chatUsage(run: Run) {
  const { input, output, cached, reasoning, cost } = usageOf(run);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === null ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    ...(cost === null ? {} : { cost }),
  };
}
