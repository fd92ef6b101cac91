/**
 * @file Derives facts about one run from its row. Plots and filters share these functions, so that a filter selects exactly
 * the runs that a plot counts.
 */
import { CONDUCTOR_KINDS, type Purpose } from '../../contract';
import type { RunColumns } from './layout';

/** The code of the kind `template` in the column `conductorKind`. */
export const TEMPLATE = CONDUCTOR_KINDS.indexOf('template');
const BY_HAND = CONDUCTOR_KINDS.indexOf('by-hand');
/**
 * The cost of discarded steps is what remains of the run's cost after the costs of plans, kept steps and later calls are subtracted. A
 * remainder of at most this share of the run's cost is a rounding error, and counts as 0.
 */
const ROUNDING = 1e-9;

/**
 * Whether the Conductor decided the plan of a run. `false`: the plan is a template or was written by hand, or the run has no
 * steps.
 */
export function isDecided({ runs, stepsOf }: RunColumns, run: number): boolean {
  const kind = runs.kinds.conductorKind[run];
  return kind !== TEMPLATE && kind !== BY_HAND && stepsOf.end(run) > stepsOf.start(run);
}

/** Whether the cost of all calls of a run is known, including calls to judges. */
export function isPriced({ runs }: RunColumns, run: number): boolean {
  return runs.numbers.unpriced[run] === 0 && runs.numbers.judgeUnpriced[run] === 0;
}

/** The cost of a run's answer in US dollars, without judges and calls after the run. */
export function answerCost({ runs }: RunColumns, run: number): number {
  return (runs.numbers.usd[run] ?? 0) - (runs.numbers.laterUsd[run] ?? 0);
}

/**
 * The cost of a run in US dollars, by purpose. `discarded`: the cost of steps that were called before their
 * plan was replaced. `later`: the cost of calls after the run.
 */
export function spentBy({ runs, steps, stepsOf }: RunColumns, run: number): Readonly<Record<Purpose, number>> {
  const { usd, planUsd, judgeUsd, laterUsd } = runs.numbers;
  const [all, plans, later] = [usd[run] ?? 0, planUsd[run] ?? 0, laterUsd[run] ?? 0];
  let forSteps = 0;
  const end = stepsOf.end(run);
  for (let step = stepsOf.start(run); step < end; step++) forSteps += steps.numbers.usd[step] ?? 0;
  const rest = all - plans - forSteps - later;
  return { steps: forSteps, plans, judges: judgeUsd[run] ?? 0, later, discarded: rest > all * ROUNDING ? rest : 0 };
}
