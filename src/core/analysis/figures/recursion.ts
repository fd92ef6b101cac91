/** @file Figure: for each number of rounds, the share of right answers and the mean cost of the runs. */
import type { Interval } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { answerCost, isPriced } from '../columns/run-facts';
import { Moments, shareOf, type Estimate } from '../statistics/estimate';
import { differenceOf } from '../statistics/interval';
import { FEW, RIGHT, tooFew, UNGRADED, type Figure } from './figure';

/** All runs with this many rounds or more are in one row. */
export const MOST_ROUNDS = 4;

export interface RecursionRow {
  readonly rounds: number;
  /** Share of the graded runs whose answer is right. */
  readonly right: Estimate;
  /**
   * `right` minus the share of right answers among the graded runs with one round. `null` in the row of one
   * round, and in all rows if no graded run has one round.
   */
  readonly gain: Interval | null;
  /** Mean cost of the graded runs in which the cost of every call is known, US dollars. `null`: there are no such runs. */
  readonly cost: Estimate | null;
}

export interface Recursion {
  readonly rows: readonly RecursionRow[];
  /** Number of graded runs with at least one round. */
  readonly graded: number;
}

/** Needs at least 10 graded runs with two or more rounds. */
export function recursionFigure(columns: RunColumns, selection: Selection): Figure<Recursion> {
  const { runs } = columns;
  const { rounds } = runs.numbers;
  const { grade } = runs.kinds;
  const groups = Array.from({ length: MOST_ROUNDS + 1 }, () => ({ graded: 0, right: 0, cost: new Moments() }));
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1 || grade[run] === UNGRADED) continue;
    const group = groups[Math.min(MOST_ROUNDS, rounds[run] ?? 0)];
    if (!group) continue;
    group.graded += 1;
    if (grade[run] === RIGHT) group.right += 1;
    if (isPriced(columns, run)) group.cost.add(answerCost(columns, run));
  }
  const again = groups.slice(2).reduce((sum, { graded }) => sum + graded, 0);
  if (again < FEW) return tooFew(again, FEW);
  const shareIn = (group: { graded: number; right: number }) => ({ count: group.right, of: group.graded });
  const once = groups[1];
  const rows = groups.flatMap((group, index): RecursionRow[] => {
    const right = index === 0 ? null : shareOf(group.right, group.graded);
    if (!right) return [];
    const gain = index > 1 && once ? differenceOf(shareIn(group), shareIn(once)) : null;
    return [{ rounds: index, right, gain, cost: group.cost.estimate() }];
  });
  return { isEnough: true, data: { rows, graded: rows.reduce((sum, { right }) => sum + right.n, 0) } };
}
