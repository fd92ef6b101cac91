/** @file Figure: steps per run over time, with a warning when plans collapse to one step. */
import type { RunColumns, Selection } from '../columns/layout';
import { meanWith, shareOf, type Estimate } from '../statistics/estimate';
import { decidedRuns, FEW, spread, tooFew, type Figure } from './figure';

/** Maximum numbers of points and of means in the plot. */
const MOST_POINTS = 400;
const MOST_MEANS = 120;
/** Plans have collapsed if at least this share of the latest plans has one step. */
const COLLAPSED = 0.9;
/** Minimum number of latest plans on which a warning is based. */
const WARNING_WINDOW = 20;

export interface StepsOverTime {
  readonly runs: number;
  /**
   * Minimum number of runs in each mean. If other runs started at the same moment as the first or the last run
   * of a mean, the mean includes them too.
   */
  readonly window: number;
  /** Some of the runs, evenly spaced. `run`: 0-based position in order of time. */
  readonly points: readonly { readonly run: number; readonly at: number; readonly steps: number }[];
  /**
   * Means of the number of steps, each over a window of runs. `run`: 0-based position of the window's last
   * run, with the oldest run first. `from` and `to`: when the first and the last run of the mean started, ms
   * since the epoch.
   */
  readonly means: readonly {
    readonly run: number;
    readonly from: number;
    readonly to: number;
    readonly steps: Estimate;
  }[];
  /**
   * Set if nearly all of the latest plans have one step. `of`: number of latest plans. `one`: how many of them have one step.
   * `before`: share of plans with one step among the earlier plans, `null` without earlier plans.
   */
  readonly collapse: { readonly one: number; readonly of: number; readonly before: number | null } | null;
}

/** Needs 20 runs whose Conductor decided the plan (see `isDecided`). */
export function stepsFigure(columns: RunColumns, selection: Selection): Figure<StepsOverTime> {
  const rows = decidedRuns(columns, selection);
  if (rows.length < 2 * FEW) return tooFew(rows.length, 2 * FEW);
  const { startedAt } = columns.runs.numbers;
  const window = Math.min(100, Math.max(FEW, Math.round(rows.length / 10)));
  const [sums, squares, ones] = [0, 0, 0].map(() => new Float64Array(rows.length + 1));
  const stepsIn = (run: number) => columns.stepsOf.end(run) - columns.stepsOf.start(run);
  for (let index = 0; index < rows.length; index++) {
    const steps = stepsIn(rows[index] ?? 0);
    add(sums, index, steps);
    add(squares, index, steps * steps);
    add(ones, index, steps === 1 ? 1 : 0);
  }
  const at = (index: number) => startedAt[rows[index] ?? 0] ?? NaN;
  const means = spread(window - 1, rows.length - 1, MOST_MEANS).map((run) => {
    // Runs that started at the same moment have no order, so either all or none of them are in a mean.
    let [first, last] = [run + 1 - window, run];
    while (first > 0 && at(first - 1) === at(first)) first -= 1;
    while (last < rows.length - 1 && at(last + 1) === at(last)) last += 1;
    const n = last + 1 - first;
    const sum = between(sums, first, last);
    const deviations = between(squares, first, last) - sum ** 2 / n;
    return { run, from: at(first), to: at(last), steps: meanWith(n, sum / n, deviations) };
  });
  const points = spread(0, rows.length - 1, MOST_POINTS).map((index) => ({
    run: index,
    at: at(index),
    steps: stepsIn(rows[index] ?? 0),
  }));
  return { isEnough: true, data: { runs: rows.length, window, points, means, collapse: collapseOf(ones, window) } };
}

/** @param ones running sums of the plans with one step */
function collapseOf(ones: Float64Array | undefined, window: number): StepsOverTime['collapse'] {
  const runs = (ones?.length ?? 1) - 1;
  const of = Math.min(runs, Math.max(window, WARNING_WINDOW));
  const one = between(ones, runs - of, runs - 1);
  if (one / of < COLLAPSED) return null;
  const before = runs > of ? shareOf(between(ones, 0, runs - of - 1), runs - of) : null;
  return { one, of, before: before?.mean ?? null };
}

/** Sets the running sum after the value at `index`, which is `sums[index + 1]`. The first sum is 0. */
function add(sums: Float64Array | undefined, index: number, value: number): void {
  if (sums) sums[index + 1] = (sums[index] ?? 0) + value;
}

/** The sum of the values from `first` to `last`. */
function between(sums: Float64Array | undefined, first: number, last: number): number {
  return (sums?.[last + 1] ?? 0) - (sums?.[first] ?? 0);
}
