/**
 * @file Figure: cost against score, with the Pareto front. Each Conductor, baseline and single worker is a point. The score is
 * the share of right answers.
 */
import type { RunColumns, Selection } from '../columns/layout';
import type { Estimate } from '../statistics/estimate';
import { differenceOf } from '../statistics/interval';
import { paretoFront } from '../statistics/pareto';
import { byConductor, type ConductorRow } from './by-conductor';
import { FEW, tooFew, type Figure } from './figure';

export interface CostScoreRow extends ConductorRow {
  readonly cost: Estimate;
  /**
   * Whether no other point beats this point (see `paretoFront`). Always `false` for points with fewer than 10
   * graded runs, which are not compared.
   */
  readonly isOnFront: boolean;
}

export interface CostScore {
  /** Cheapest first. */
  readonly rows: readonly CostScoreRow[];
  /** Number of graded runs. */
  readonly graded: number;
  /** Number of graded runs with calls of unknown cost. These runs don't count in any `cost`. */
  readonly unpriced: number;
  /**
   * Whether the score rises significantly from each point on the front to the next more expensive point: the
   * 95 % interval of the difference is above 0. `false` if the front is empty.
   */
  readonly isProven: boolean;
}

/** Needs 10 graded runs of known cost. */
export function costScoreFigure(columns: RunColumns, selection: Selection): Figure<CostScore> {
  const { rows, graded, unpriced } = byConductor(columns, selection);
  if (graded - unpriced < FEW) return tooFew(graded - unpriced, FEW);
  const priced = rows.flatMap((row) => (row.cost ? [{ ...row, cost: row.cost }] : []));
  const candidates = priced
    .filter(({ score }) => score.n >= FEW)
    .map((row) => ({ id: row.conductor, cost: row.cost.mean, score: row.score.mean, row }));
  const front = paretoFront(candidates).map(({ row }) => row);
  const isProven = front.every((row, index) => {
    const cheaper = front[index - 1];
    return !cheaper || (differenceOf(shareIn(row), shareIn(cheaper))?.low ?? -1) > 0;
  });
  return {
    isEnough: true,
    data: {
      rows: priced
        .map((row) => ({ ...row, isOnFront: front.some(({ conductor }) => conductor === row.conductor) }))
        .toSorted((one, other) => one.cost.mean - other.cost.mean),
      graded,
      unpriced,
      isProven: isProven && front.length > 0,
    },
  };
}

function shareIn({ right, score }: ConductorRow) {
  return { count: right, of: score.n };
}
