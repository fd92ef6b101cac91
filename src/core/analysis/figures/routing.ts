/** @file Figure: how evenly Conductors distribute steps among workers, as normalized Shannon entropy over time. */
import type { RunColumns, Selection } from '../columns/layout';
import { decidedRuns, FEW, tooFew, type Figure } from './figure';

const MOST_WINDOWS = 24;
/** 97.5 % quantile of the normal distribution. */
const Z = 1.96;

export interface Routing {
  readonly runs: number;
  /** Number of workers that have a step in any of the runs. An entropy of 1 means equally many steps for all of them. */
  readonly workers: number;
  /** Consecutive windows with about the same number of runs. Runs that started at the same moment share a window. */
  readonly windows: readonly RoutingWindow[];
}

export interface RoutingWindow {
  /** 0-based position of the window's last run among all runs, oldest first. */
  readonly run: number;
  /** When the window's first run (`from`) and last run (`to`) started, ms since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly runs: number;
  readonly steps: number;
  /** From 0 (one worker has all steps) to 1 (all workers have equally many steps). `low` and `high`: its 95 % interval. */
  readonly entropy: number;
  readonly low: number;
  readonly high: number;
  /** `first`: the worker with the most steps. `share`: that worker's share of the window's steps. */
  readonly first: string;
  readonly share: number;
}

/** Needs 20 runs whose Conductor decided the plan. */
export function routingFigure(columns: RunColumns, selection: Selection): Figure<Routing> {
  const { runs, steps, stepsOf, names } = columns;
  const rows = decidedRuns(columns, selection);
  if (rows.length < 2 * FEW) return tooFew(rows.length, 2 * FEW);
  const at = (index: number) => runs.numbers.startedAt[rows[index] ?? 0] ?? NaN;
  const starts = startsOf(rows.length, at);
  const counts = starts.map(() => new Uint32Array(names.worker.length));
  const totals = new Uint32Array(names.worker.length);
  let window = 0;
  for (let index = 0; index < rows.length; index++) {
    const run = rows[index] ?? 0;
    if (index >= (starts[window + 1] ?? Infinity)) window += 1;
    const own = counts[window];
    const end = stepsOf.end(run);
    for (let step = stepsOf.start(run); step < end; step++) {
      const worker = steps.codes.worker[step] ?? 0;
      if (own) own[worker] = (own[worker] ?? 0) + 1;
      totals[worker] = (totals[worker] ?? 0) + 1;
    }
  }
  const workers = totals.reduce((sum, total) => sum + (total > 0 ? 1 : 0), 0);
  return {
    isEnough: true,
    data: {
      runs: rows.length,
      workers,
      windows: counts.map((own, index) => {
        const first = starts[index] ?? 0;
        const last = (starts[index + 1] ?? rows.length) - 1;
        const most = own.reduce((best, calls, code) => (calls > (own[best] ?? 0) ? code : best), 0);
        return {
          ...{ run: last, from: at(first), to: at(last), runs: last + 1 - first },
          ...entropyOf(own, workers),
          first: names.worker[most] ?? '',
          share: share(own[most] ?? 0, sumOf(own)),
        };
      }),
    },
  };
}

/**
 * The position of the first run of each window.
 * @param at returns the start time of the run at a position, ms since the epoch
 */
function startsOf(runs: number, at: (index: number) => number): readonly number[] {
  const windows = Math.min(MOST_WINDOWS, Math.floor(runs / FEW));
  const starts = Array.from({ length: windows }, (_, index) => {
    let start = Math.ceil((index * runs) / windows);
    while (start > 0 && start < runs && at(start) === at(start - 1)) start += 1;
    return start;
  });
  return [...new Set(starts)].filter((start) => start < runs);
}

/** The normalized entropy with its 95 % interval. The variance of the estimated entropy H is (Σ p ln² p − H²) / n. */
function entropyOf(counts: Uint32Array, workers: number): Pick<RoutingWindow, 'steps' | 'entropy' | 'low' | 'high'> {
  const steps = sumOf(counts);
  let entropy = 0;
  let squares = 0;
  for (const calls of counts) {
    if (calls === 0) continue;
    const p = calls / steps;
    entropy -= p * Math.log(p);
    squares += p * Math.log(p) ** 2;
  }
  const most = Math.log(Math.max(2, workers));
  const half = steps === 0 ? 0 : Z * Math.sqrt(Math.max(0, squares - entropy ** 2) / steps);
  const normal = (value: number) => Math.min(1, Math.max(0, value / most));
  return { steps, entropy: normal(entropy), low: normal(entropy - half), high: normal(entropy + half) };
}

function sumOf(counts: Uint32Array): number {
  return counts.reduce((sum, calls) => sum + calls, 0);
}

function share(count: number, of: number): number {
  return of === 0 ? 0 : count / of;
}
