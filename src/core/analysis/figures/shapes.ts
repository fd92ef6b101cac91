/** @file Figure: how often plans have each workflow shape, and how often the answers are right. */
import { SHAPES, type Shape } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { shareOf, type Estimate } from '../statistics/estimate';
import { FEW, RIGHT, tooFew, UNGRADED, type Figure } from './figure';

export interface Shapes {
  /** Most frequent first. */
  readonly rows: readonly {
    readonly shape: Shape;
    readonly plans: number;
    /** Share of all plans. */
    readonly share: Estimate;
    /** Share of right answers among the shape's graded runs. `null`: none of its runs is graded. */
    readonly right: Estimate | null;
  }[];
  readonly plans: number;
}

/** Needs 10 runs with a plan. */
export function shapesFigure({ runs }: RunColumns, selection: Selection): Figure<Shapes> {
  const { shape, grade } = runs.kinds;
  // One cell for each of the 256 possible codes. Runs without a plan have the code 255 (`NO_KIND`).
  const [plans, graded, right] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1) continue;
    const code = shape[run] ?? 0;
    plans[code] = (plans[code] ?? 0) + 1;
    if (grade[run] === UNGRADED) continue;
    graded[code] = (graded[code] ?? 0) + 1;
    if (grade[run] === RIGHT) right[code] = (right[code] ?? 0) + 1;
  }
  const all = SHAPES.reduce((sum, _, code) => sum + (plans[code] ?? 0), 0);
  if (all < FEW) return tooFew(all, FEW);
  const rows = SHAPES.flatMap((name, code) => {
    const own = plans[code] ?? 0;
    if (own === 0) return [];
    const share = shareOf(own, all);
    return share ? [{ shape: name, plans: own, share, right: shareOf(right[code] ?? 0, graded[code] ?? 0) }] : [];
  });
  return { isEnough: true, data: { rows: rows.toSorted((one, other) => other.plans - one.plans), plans: all } };
}
