/** @file The mean cost, time and calls of runs, and the share of valid plans. */
import { addCosts, NO_COST, unitKey, type Cost, type Interval, type Outcome } from '../../contract';
import { wilsonInterval } from '../../analysis/statistics/interval';
import { meanOf } from './score';

/** Means over the runs that are graded or wait for a grade. Failed runs are left out, because they ended early. */
export interface MeanUsage {
  readonly runs: number;
  readonly steps: number;
  readonly rounds: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, without calls of unknown cost. */
  readonly usd: number;
  /** Number of calls of unknown cost: the sum over the runs, not the mean. */
  readonly unpriced: number;
  /** Number of runs that went on without a failed step: the sum, not the mean. */
  readonly incomplete: number;
  /** Ms. */
  readonly elapsed: number;
}

/** The mean usage of runs. `null`: no run is graded or waits for a grade. */
export function meanUsage(outcomes: readonly Outcome[]): MeanUsage | null {
  const answered = outcomes.filter(({ status }) => status === 'graded' || status === 'waiting');
  if (answered.length === 0) return null;
  const mean = (value: (outcome: Outcome) => number) => meanOf(answered.map(value)) ?? 0;
  const cost = totalCost(answered);
  return {
    runs: answered.length,
    steps: mean(({ steps }) => steps.length),
    rounds: mean(({ rounds }) => rounds),
    calls: mean(({ calls }) => calls),
    inputTokens: mean(({ inputTokens }) => inputTokens),
    outputTokens: mean(({ outputTokens }) => outputTokens),
    usd: cost.usd / answered.length,
    unpriced: cost.unpriced,
    incomplete: answered.filter(({ leftOut = 0 }) => leftOut > 0).length,
    elapsed: mean(({ elapsed }) => elapsed),
  };
}

/** The total cost of the runs, including failed runs, without the cost of the judge. */
export function totalCost(outcomes: readonly Outcome[]): Cost {
  return sumOfCosts(outcomes.map(({ usd, unpriced = 0 }) => ({ usd, unpriced })));
}

/** The total cost of the judge. */
export function totalJudgeCost(outcomes: readonly Outcome[]): Cost {
  // Methods with equal settings share a run and the calls to its judge, so these calls count once.
  const byRun = new Map(outcomes.map((outcome) => [outcome.runId ?? unitKey(outcome), outcome.judge]));
  return sumOfCosts([...byRun.values()].flatMap((cost) => cost ?? []));
}

function sumOfCosts(costs: readonly Cost[]): Cost {
  return costs.reduce(addCosts, NO_COST);
}

/** The share of plans for which the model's first answer was a valid workflow. `null`: no model had to write a plan. */
export function validPlans(outcomes: readonly Outcome[]): (Interval & { readonly plans: number }) | null {
  const written = outcomes.filter(({ format }) => format !== null);
  const share = wilsonInterval(written.filter(({ format }) => format === true).length, written.length);
  return share && { ...share, plans: written.length };
}
