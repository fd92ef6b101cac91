/** @file Figures: the cost of runs by day, by worker and by purpose. */
import { isMoment, PURPOSES, type Purpose } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { spentBy } from '../columns/run-facts';
import { ranked, tooFew, type Figure } from './figure';
import { periodsBetween, type PeriodUnit } from './periods';

/** Maximum number of workers with a row of their own. The other workers share one row. */
const MOST_WORKERS = 12;

export interface SpendByDay {
  readonly unit: PeriodUnit;
  /** All periods from the first run to the last, including periods without cost. */
  readonly periods: readonly {
    /** First and last millisecond of the period, in ms since the epoch. Periods begin at midnight in the user's time zone. */
    readonly from: number;
    readonly to: number;
    readonly usd: number;
    readonly runs: number;
  }[];
  readonly total: SpendTotal;
}

export interface SpendTotal {
  /** Cost of all calls of known cost, including judge calls. */
  readonly usd: number;
  readonly runs: number;
  /** Number of calls of unknown cost, including judge calls. */
  readonly unpriced: number;
}

export interface SpendByWorker {
  /**
   * Highest cost first. With more than 12 workers, the last row combines the other workers and has `worker:
   * null`. `calls` counts steps, including steps without a call.
   */
  readonly rows: readonly { readonly worker: string | null; readonly usd: number; readonly calls: number }[];
  readonly total: SpendTotal;
}

export interface SpendByPurpose {
  /** `runs`: number of runs that spent money on this purpose. */
  readonly rows: readonly { readonly purpose: Purpose; readonly usd: number; readonly runs: number }[];
  readonly total: SpendTotal;
}

/** Needs one run with a cost and a valid start time. Damaged runs without a valid start time count only in the total. */
export function spendByDayFigure({ runs }: RunColumns, selection: Selection): Figure<SpendByDay> {
  const { startedAt, usd, judgeUsd } = runs.numbers;
  const costOf = (run: number) => (usd[run] ?? 0) + (judgeUsd[run] ?? 0);
  let [first, last] = [Infinity, -Infinity];
  let hasCost = false;
  for (let run = 0; run < runs.length; run++) {
    const at = startedAt[run] ?? NaN;
    if (selection[run] !== 1 || !isMoment(at)) continue;
    if (at < first) first = at;
    if (at > last) last = at;
    if (costOf(run) > 0) hasCost = true;
  }
  if (!hasCost) return tooFew(0, 1);
  const { unit, starts } = periodsBetween(first, last);
  const sums = new Float64Array(starts.length);
  const counts = new Uint32Array(starts.length);
  // Runs are mostly in order of time, so the search for a run's period begins at the period of the previous run.
  let period = 0;
  for (let run = 0; run < runs.length; run++) {
    const at = startedAt[run] ?? NaN;
    if (selection[run] !== 1 || !isMoment(at)) continue;
    while (period > 0 && (starts[period] ?? 0) > at) period--;
    while (period < starts.length - 1 && (starts[period + 1] ?? Infinity) <= at) period++;
    sums[period] = (sums[period] ?? 0) + costOf(run);
    counts[period] = (counts[period] ?? 0) + 1;
  }
  const periods = starts.slice(0, -1).map((from, index) => ({
    from,
    to: (starts[index + 1] ?? from) - 1,
    usd: sums[index] ?? 0,
    runs: counts[index] ?? 0,
  }));
  return { isEnough: true, data: { unit, periods, total: totalOf(runs, selection) } };
}

/** Needs one run with a cost. */
export function spendByWorkerFigure(
  { runs, steps, stepsOf, names }: RunColumns,
  selection: Selection,
): Figure<SpendByWorker> {
  const total = totalOf(runs, selection);
  if (total.usd === 0) return tooFew(0, 1);
  const [sums, calls] = [new Float64Array(names.worker.length), new Uint32Array(names.worker.length)];
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1) continue;
    const end = stepsOf.end(run);
    for (let step = stepsOf.start(run); step < end; step++) {
      const code = steps.codes.worker[step] ?? 0;
      sums[code] = (sums[code] ?? 0) + (steps.numbers.usd[step] ?? 0);
      calls[code] = (calls[code] ?? 0) + 1;
    }
  }
  const rows = ranked(calls)
    .codes.map((code) => ({ worker: names.worker[code] ?? '', usd: sums[code] ?? 0, calls: calls[code] ?? 0 }))
    .toSorted((one, other) => other.usd - one.usd);
  const further = rows.slice(MOST_WORKERS);
  const rest = {
    worker: null,
    usd: further.reduce((sum, row) => sum + row.usd, 0),
    calls: further.reduce((sum, row) => sum + row.calls, 0),
  };
  const shown = further.length > 0 ? [...rows.slice(0, MOST_WORKERS), rest] : rows;
  return { isEnough: true, data: { rows: shown, total } };
}

/** Needs one run with a cost. */
export function spendByPurposeFigure(columns: RunColumns, selection: Selection): Figure<SpendByPurpose> {
  const { runs } = columns;
  const total = totalOf(runs, selection);
  if (total.usd === 0) return tooFew(0, 1);
  const sums = { steps: 0, plans: 0, judges: 0, later: 0, discarded: 0 };
  const counts = { ...sums };
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1) continue;
    const spent = spentBy(columns, run);
    for (const purpose of PURPOSES) {
      sums[purpose] += spent[purpose];
      if (spent[purpose] > 0) counts[purpose] += 1;
    }
  }
  const rows = PURPOSES.map((purpose) => ({ purpose, usd: sums[purpose], runs: counts[purpose] }));
  // Few runs have judge calls, discarded steps or later calls, so the rows for these purposes are shown only if they
  // have a cost.
  const shown = rows.filter(({ purpose, usd }) => purpose === 'steps' || purpose === 'plans' || usd > 0);
  return { isEnough: true, data: { rows: shown, total } };
}

function totalOf(runs: RunColumns['runs'], selection: Selection): SpendTotal {
  let [usd, count, unpriced] = [0, 0, 0];
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1) continue;
    usd += (runs.numbers.usd[run] ?? 0) + (runs.numbers.judgeUsd[run] ?? 0);
    count += 1;
    unpriced += (runs.numbers.unpriced[run] ?? 0) + (runs.numbers.judgeUnpriced[run] ?? 0);
  }
  return { usd, runs: count, unpriced };
}
