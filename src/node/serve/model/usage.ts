/** @file The usage and the cost of a run, in the format of the OpenAI API. */
import { planCalls, plansOf } from '../../../core/analysis/plan-calls';
import type { Run } from '../../../core/contract';

/** The tokens of all calls of the runs of an answer, including the Conductor's calls. */
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

export function usageOf(runs: readonly Run[]): RunUsage {
  const total = (part: 'input' | 'output' | 'usd' | 'unpriced') => sum(runs.map(({ spent }) => spent[part])) ?? 0;
  const usages = runs.flatMap((run) =>
    run.rounds.flatMap((round) => [
      ...plansOf(round).flatMap((plan) => planCalls(run, plan)),
      ...[...round.steps, ...round.discarded].flatMap(({ attempts }) => attempts),
    ]),
  );
  const sumOf = (part: 'cached' | 'reasoning') => sum(usages.flatMap(({ usage }) => usage?.[part] ?? []));
  return {
    input: total('input'),
    output: total('output'),
    cached: sumOf('cached'),
    reasoning: sumOf('reasoning'),
    cost: total('unpriced') > 0 ? null : total('usd'),
  };
}

function sum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}

/** The field `usage` of a chat completion. What is unknown is left out. */
export function chatUsage(runs: readonly Run[]) {
  const { input, output, cached, reasoning, cost } = usageOf(runs);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === null ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    ...(cost === null ? {} : { cost }),
  };
}
