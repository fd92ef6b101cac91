/** @file Lists the steps of a run, and adds up the tokens and costs of their attempts. */
import {
  samplingOf,
  workerOf,
  type Attempt,
  type PoolWorker,
  type Run,
  type Sampling,
  type StepRun,
  type Usage,
} from '../../contract';

/** A step of a run with its round and worker. */
export interface RunStep {
  readonly run: Run;
  /** 0-based. */
  readonly round: number;
  readonly step: StepRun;
  /** The steps of the step's workflow. For a discarded step: all discarded steps of its round. */
  readonly steps: readonly StepRun[];
  readonly worker: PoolWorker | null;
}

/**
 * All steps of a run in order. The discarded steps of a round come after its other steps. A discarded step
 * was called before its plan was replaced.
 */
export function stepsOf(run: Run): readonly RunStep[] {
  return run.rounds.flatMap(({ round, steps, discarded }) =>
    [...steps, ...discarded].map((step) => ({
      run,
      round,
      step,
      steps: steps.includes(step) ? steps : discarded,
      worker: workerOf(run, step) ?? null,
    })),
  );
}

/**
 * The token counts of several calls, added up. `null`: no call has token counts. `reasoning` and `cached` are absent if no call
 * has them.
 */
export function usageOf(calls: readonly Pick<Attempt, 'usage'>[]): Usage | null {
  const known = calls.flatMap(({ usage }) => usage ?? []);
  if (known.length === 0) return null;
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const reasoning = known.flatMap((usage) => usage.reasoning ?? []);
  const cached = known.flatMap((usage) => usage.cached ?? []);
  return {
    input: sum(known.map(({ input }) => input)),
    output: sum(known.map(({ output }) => output)),
    ...(reasoning.length === 0 ? {} : { reasoning: sum(reasoning) }),
    ...(cached.length === 0 ? {} : { cached: sum(cached) }),
    estimated: known.some(({ estimated }) => estimated === true),
  };
}

/** The sampling parameters of a step's call. `maxTokens` is the call's output limit, which a budget may have lowered. */
export function samplingOfCall(run: Run, { worker, outputLimit }: Pick<Attempt, 'worker' | 'outputLimit'>): Sampling {
  const sampling = worker ? samplingOf(worker, run.sampling) : run.sampling;
  return outputLimit === null ? sampling : { ...sampling, maxTokens: outputLimit };
}

/** The cost of a step's calls in US dollars. Calls that were never sent cost nothing. `null`: a sent call's cost is unknown. */
export function costOfAttempts(attempts: readonly Pick<Attempt, 'cost' | 'leftAt'>[]): number | null {
  let usd = 0;
  for (const { cost, leftAt } of attempts) {
    if (leftAt === null) continue;
    if (cost === null) return null;
    usd += cost;
  }
  return usd;
}

/** The time between two moments of a run, ms. `null`: one of them is unknown. */
export function between(from: number | null | undefined, to: number | null | undefined): number | null {
  return from == null || to == null ? null : Math.max(0, to - from);
}
