/** @file Figure: share of right answers and cost, by Conductor and baseline. */
import type { RunColumns, Selection } from '../columns/layout';
import { highestOf } from '../statistics/interval';
import { byConductor, type ByConductor } from './by-conductor';
import { FEW, tooFew, type Figure } from './figure';

interface Conductors extends ByConductor {
  /**
   * The Conductor or baseline with the highest share of right answers, among those with at least 10 graded runs. `null`: fewer
   * than two have at least 10 graded runs, or the lead may be due to chance.
   */
  readonly best: string | null;
}

/** Needs 10 graded runs. */
export function conductorsFigure(columns: RunColumns, selection: Selection): Figure<Conductors> {
  const found = byConductor(columns, selection);
  if (found.graded < FEW) return tooFew(found.graded, FEW);
  const enough = found.rows.filter(({ score }) => score.n >= FEW);
  const best = highestOf(enough.map(({ conductor, right, score }) => ({ conductor, count: right, of: score.n })));
  return { isEnough: true, data: { ...found, best: best?.conductor ?? null } };
}
