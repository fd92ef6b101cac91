/** @file Figure: how long finished steps took, by worker and provider. */
import type { RunColumns, Selection } from '../columns/layout';
import { KINDS } from '../columns/layout';
import { quantiles } from '../statistics/quantiles';
import { FEW, tooFew, type Figure } from './figure';

const FINISHED = KINDS.outcome.indexOf('finished');

/** Times in ms. */
export interface LatencyRow {
  readonly worker: string;
  readonly provider: string;
  /** Number of finished steps. The calls of a retried step count as one. */
  readonly calls: number;
  /**
   * Time from sending a step's last call until the first content of that call. `null`: fewer than 10 steps had
   * content.
   */
  readonly first: Times | null;
  /** Time from a step's first call until its output was complete. `null`: fewer than 10 steps. */
  readonly whole: Times | null;
}

export interface Times {
  readonly n: number;
  readonly median: number;
  /** The 90 % quantile. */
  readonly slow: number;
}

export interface Latency {
  /** Sorted by the median time until the first content, lowest first. */
  readonly rows: readonly LatencyRow[];
  readonly calls: number;
}

/** Needs 10 finished steps. */
export function latencyFigure({ runs, steps, stepsOf, names }: RunColumns, selection: Selection): Figure<Latency> {
  const { worker, provider } = steps.codes;
  const { outcome } = steps.kinds;
  const groups: { readonly worker: number; readonly provider: number; calls: number }[] = [];
  /**
   * For each worker, the group (worker and provider) of its previous step. This group is tried first, because
   * workers seldom change providers.
   */
  const lastOf = new Int32Array(names.worker.length).fill(-1);
  const groupOf = new Int32Array(steps.length).fill(-1);
  let calls = 0;
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1) continue;
    const end = stepsOf.end(run);
    for (let step = stepsOf.start(run); step < end; step++) {
      if (outcome[step] !== FINISHED) continue;
      const [by, at] = [worker[step] ?? 0, provider[step] ?? 0];
      let place = lastOf[by] ?? -1;
      let group = groups[place];
      if (group?.provider !== at) {
        place = groups.findIndex((each) => each.worker === by && each.provider === at);
        if (place === -1) place = groups.push({ worker: by, provider: at, calls: 0 }) - 1;
        lastOf[by] = place;
        group = groups[place];
      }
      groupOf[step] = place;
      if (group) group.calls += 1;
      calls += 1;
    }
  }
  if (calls < FEW) return tooFew(calls, FEW);
  const timesOf = (values: Float64Array) => {
    const all = new Float64Array(calls);
    const ends = new Uint32Array(groups.length);
    const starts = new Uint32Array(groups.length);
    let from = 0;
    for (const [index, group] of groups.entries()) {
      starts[index] = ends[index] = from;
      from += group.calls;
    }
    for (let step = 0; step < steps.length; step++) {
      const group = groupOf[step] ?? -1;
      const value = values[step] ?? NaN;
      if (group < 0 || Number.isNaN(value)) continue;
      const end = ends[group] ?? 0;
      all[end] = value;
      ends[group] = end + 1;
    }
    return groups.map((_, index) => times(all.subarray(starts[index] ?? 0, ends[index] ?? 0)));
  };
  const [first, whole] = [timesOf(steps.numbers.latency), timesOf(steps.numbers.time)];
  const rows = groups.map((group, index) => ({
    worker: names.worker[group.worker] ?? '',
    provider: names.provider[group.provider] ?? '',
    calls: group.calls,
    first: first[index] ?? null,
    whole: whole[index] ?? null,
  }));
  const order = ({ first: until }: LatencyRow) => until?.median ?? Infinity;
  return {
    isEnough: true,
    data: { rows: rows.toSorted((one, other) => order(one) - order(other) || other.calls - one.calls), calls },
  };
}

/** `null` for fewer than 10 values, because their 90 % quantile would not be reliable. */
function times(values: Float64Array): Times | null {
  if (values.length < FEW) return null;
  const [median = NaN, slow = NaN] = quantiles(values, [0.5, 0.9]);
  return { n: values.length, median, slow };
}
