/** @file Compares each Conductor of a batch with the best single worker, and with its equal-cost controls. */
import type { BatchPlan, GradingProfile, Outcome } from '../../contract';
import { BestElsewhere } from './best-elsewhere';
import { pairedRatio, pairedScores, totalOf, type Estimate, type PairedScores } from './paired';
import { taskKey } from './score';
import { singleWorkers } from './single-workers';
import { TaskTotals, type Totals } from './task-totals';
import { byMethod } from './workflows';

/** A comparison of a method with another method, on the tasks on which both have a verdict. */
export interface Pair {
  readonly scores: PairedScores;
  /** The cost of the method, as a multiple of the other method's cost. `null`: the other method is free. */
  readonly ratio: Estimate | null;
  /** Whether costs are in US dollars. Otherwise they are numbers of calls, because a cost is unknown or all calls are free. */
  readonly isPriced: boolean;
  /** The costs of both methods over all tasks. */
  readonly totals: readonly [Estimate, Estimate];
}

export interface Comparison {
  /** Index into the plan's methods. */
  readonly method: number;
  readonly label: string;
  /** With the single worker that is best on the other tasks. */
  readonly alone: Pair;
  /** The names of these workers, the most frequent first. There are several if no worker is clearly the best. */
  readonly workers: readonly string[];
  /** With its equal-cost control. `null`: the batch has none, or too few tasks have verdicts. */
  readonly equalCost: Pair | null;
  /** With its control that is matched per task. `null`: as for `equalCost`. */
  readonly matched: Pair | null;
  /** With its control by workers that think as much as they can. `null`: as for `equalCost`. */
  readonly thinking: Pair | null;
  /** Whether the control draws one of two workers, see `EqualCost`. */
  readonly isMix: boolean;
  /** Whether it can't have a control on some task, because one call to the best worker costs more. */
  readonly isCheaper: boolean;
}

/** The comparisons of all methods that are neither single workers nor controls. Empty if the batch has no single worker. */
export function comparisonsOf(
  plan: BatchPlan,
  outcomes: readonly Outcome[],
  profile: GradingProfile,
): readonly Comparison[] {
  const singles = singleWorkers(plan);
  if (singles.length === 0) return [];
  const groups = byMethod(outcomes, plan.methods.length);
  const totals = groups.map((each) => new TaskTotals(each, profile));
  const best = bestByTask(plan, totals);
  return plan.methods.flatMap(({ id, label, equalCost: isControl }, method): readonly Comparison[] => {
    const own = totals[method];
    const alone = own && !isControl && !singles.includes(method) ? pairOf(own.byTask, best.byTask) : null;
    if (!own || !alone) return [];
    const indexOf = (isMatched: true | undefined, mostThinking?: true) =>
      plan.methods.findIndex(
        ({ equalCost }) =>
          equalCost?.of === id && equalCost.isMatched === isMatched && equalCost.mostThinking === mostThinking,
      );
    const pairWith = (control: number) => {
      const other = totals[control];
      return other ? pairOf(own.byTask, other.byTask) : null;
    };
    const control = indexOf(undefined);
    const equalCost = pairWith(control);
    const thinking = pairWith(indexOf(undefined, true));
    const isMix = plan.methods[control]?.equalCost?.isMix === true;
    const isCheaper = !isMix && (groups[control] ?? []).some(({ status }) => status === 'not-gradable');
    return [
      {
        method,
        label,
        alone,
        workers: best.workers,
        equalCost,
        matched: pairWith(indexOf(true)),
        thinking,
        isMix,
        isCheaper,
      },
    ];
  });
}

/** For each task, the results of the single worker that is best on other tasks, and the names of these workers. */
function bestByTask(plan: BatchPlan, totals: readonly TaskTotals[]) {
  const best = new BestElsewhere(plan, totals);
  const byTask = new Map<string, Totals>();
  const counts = new Map<string, number>();
  for (const [dataset, { taskIds }] of plan.datasets.entries()) {
    for (const taskId of taskIds) {
      const single = best.on({ dataset, taskId });
      const found = single && totals[single.method]?.on({ dataset, taskId });
      if (!found) continue;
      byTask.set(taskKey({ dataset, taskId }), found);
      const name = plan.methods[single.method]?.settings.pool.find(({ id }) => id === single.worker)?.name ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const workers = [...counts].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  return { byTask, workers };
}

function pairOf(own: ReadonlyMap<string, Totals>, other: ReadonlyMap<string, Totals>): Pair | null {
  const both = [...own].flatMap(([key, mine]) => {
    const theirs = other.get(key);
    return theirs && mine.graded > 0 && theirs.graded > 0 ? [{ mine, theirs }] : [];
  });
  const scores = pairedScores(both.map(({ mine, theirs }) => mine.right / mine.graded - theirs.right / theirs.graded));
  if (!scores) return null;
  const isPriced =
    both.every(({ mine, theirs }) => mine.unpriced + theirs.unpriced === 0) &&
    both.some(({ theirs }) => theirs.usd > 0);
  const costOf = ({ usd, calls, runs }: Totals) => (isPriced ? usd : calls) / runs;
  const pairs = both.map(({ mine, theirs }) => [costOf(mine), costOf(theirs)] as const);
  const totals = [totalOf(pairs.map(([mine]) => mine)), totalOf(pairs.map(([, theirs]) => theirs))] as const;
  return { scores, ratio: pairedRatio(pairs), isPriced, totals };
}
