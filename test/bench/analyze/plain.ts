/**
 * @file The baseline for a benchmark of *Analyze*: computes each figure with a plain loop over objects. Unlike the page, it
 * computes no confidence intervals and no findings (sentences that the data support).
 */
import type { FigureName } from '../../../src/core/analysis/figures';
import type { IndexedRun } from '../../../src/core/contract';

type Plain = (runs: readonly IndexedRun[]) => unknown;

class Groups {
  readonly sums = new Map<string, { count: number; sum: number; right: number }>();

  add(key: string, value: number, isRight: boolean): void {
    const sum = this.sums.get(key);
    if (!sum) this.sums.set(key, { count: 1, sum: value, right: isRight ? 1 : 0 });
    else {
      sum.count += 1;
      sum.sum += value;
      if (isRight) sum.right += 1;
    }
  }
}

function grouped(runs: readonly IndexedRun[], keyOf: (run: IndexedRun) => string, onlyGraded = true): Groups {
  const groups = new Groups();
  for (const run of runs) {
    if (onlyGraded && run.summary.correct === null) continue;
    groups.add(keyOf(run), run.summary.usd, run.summary.correct === true);
  }
  return groups;
}

const byConductor: Plain = (runs) => grouped(runs, ({ summary }) => summary.conductor);

function byWorker(runs: readonly IndexedRun[], keyOf: (run: IndexedRun, role: string) => string): Groups {
  const groups = new Groups();
  for (const run of runs) {
    if (run.summary.correct === null) continue;
    const keys = new Set(run.steps.map(({ worker, role }) => `${worker} ${keyOf(run, role)}`));
    for (const key of keys) groups.add(key, 0, run.summary.correct);
  }
  return groups;
}

function decided(runs: readonly IndexedRun[]): IndexedRun[] {
  return runs
    .filter(({ conductorKind, steps }) => conductorKind !== 'template' && steps.length > 0)
    .toSorted((one, other) => one.summary.startedAt - other.summary.startedAt);
}

export const PLAIN: Readonly<Record<FigureName, Plain>> = {
  'cost-score': byConductor,
  conductors: byConductor,
  'worker-domain': (runs) => byWorker(runs, ({ domain }) => domain),
  'worker-role': (runs) => byWorker(runs, (_, role) => role),
  checkers: (runs) => {
    const groups = new Groups();
    for (const { steps } of runs) {
      for (const { worker, checks } of steps) if (checks) groups.add(worker, checks.right.right, true);
    }
    return groups;
  },
  shapes: (runs) => grouped(runs, ({ shape }) => shape ?? '', false),
  steps: (runs) => {
    let mean = 0;
    const ordered = decided(runs);
    for (const [index, run] of ordered.entries()) {
      mean += (run.steps.length - (index < 100 ? mean : (ordered[index - 100]?.steps.length ?? 0))) / 100;
    }
    return mean;
  },
  routing: (runs) => {
    const windows = new Groups();
    for (const [index, run] of decided(runs).entries()) {
      for (const { worker } of run.steps) windows.add(`${Math.floor((24 * index) / runs.length)} ${worker}`, 1, false);
    }
    return windows;
  },
  recursion: (runs) => grouped(runs, ({ summary }) => String(summary.rounds)),
  grammar: (runs) => grouped(runs, ({ summary, grammar }) => `${summary.conductor} ${String(grammar)}`, false),
  latency: (runs) => {
    const times = new Map<string, number[]>();
    for (const { steps } of runs) {
      for (const { worker, provider, outcome, latency } of steps) {
        if (outcome !== 'finished' || latency === null) continue;
        const key = `${worker} ${provider}`;
        const own = times.get(key);
        if (own) own.push(latency);
        else times.set(key, [latency]);
      }
    }
    return [...times.values()].map((own) => own.toSorted((one, other) => one - other)[Math.floor(own.length / 2)]);
  },
  'spend-day': (runs) => grouped(runs, ({ summary }) => new Date(summary.startedAt).toDateString(), false),
  'spend-worker': (runs) => {
    const groups = new Groups();
    for (const { steps } of runs) for (const { worker, usd } of steps) groups.add(worker, usd, false);
    return groups;
  },
  'spend-purpose': (runs) =>
    runs.reduce((sum, { planUsd, steps }) => sum + planUsd + steps.reduce((all, { usd }) => all + usd, 0), 0),
};
