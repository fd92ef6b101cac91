/** @file Computes the share of right answers and the mean cost for each Conductor and baseline. Only graded runs count. */
import type { RunColumns, Selection } from '../columns/layout';
import { answerCost, isPriced, TEMPLATE } from '../columns/run-facts';
import { Moments, shareOf, type Estimate } from '../statistics/estimate';
import { RIGHT, UNGRADED } from './figure';

/** `baseline`: a workflow template. `single`: a template with only one step. */
export type ConductorGroup = 'conductor' | 'baseline' | 'single';

export interface ConductorRow {
  readonly conductor: string;
  readonly group: ConductorGroup;
  readonly right: number;
  /** Share of right answers among the graded runs. */
  readonly score: Estimate;
  /**
   * Mean cost of the graded runs in which the cost of every call is known, US dollars. `null`: there are no
   * such runs.
   */
  readonly cost: Estimate | null;
}

export interface ByConductor {
  /** Highest score first. */
  readonly rows: readonly ConductorRow[];
  /** Number of graded runs. */
  readonly graded: number;
  /** Number of graded runs with calls of unknown cost. These runs don't count in `cost`. */
  readonly unpriced: number;
}

export function byConductor(columns: RunColumns, selection: Selection): ByConductor {
  const { runs, stepsOf, names } = columns;
  const size = names.conductor.length;
  const [graded, right, templates, longer] = [0, 0, 0, 0].map(() => new Uint32Array(size));
  const costs: (Moments | undefined)[] = Array.from({ length: size });
  const { grade, conductorKind } = runs.kinds;
  let unpricedRuns = 0;
  if (!graded || !right || !templates || !longer) return { rows: [], graded: 0, unpriced: 0 };
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1 || grade[run] === UNGRADED) continue;
    const code = runs.codes.conductor[run] ?? 0;
    graded[code] = (graded[code] ?? 0) + 1;
    if (grade[run] === RIGHT) right[code] = (right[code] ?? 0) + 1;
    if (conductorKind[run] === TEMPLATE) templates[code] = (templates[code] ?? 0) + 1;
    if (stepsOf.end(run) - stepsOf.start(run) !== 1) longer[code] = (longer[code] ?? 0) + 1;
    if (isPriced(columns, run)) (costs[code] ??= new Moments()).add(answerCost(columns, run));
    else unpricedRuns += 1;
  }
  const rows = names.conductor.flatMap((conductor, code): ConductorRow[] => {
    const score = shareOf(right[code] ?? 0, graded[code] ?? 0);
    if (!score) return [];
    const group = templates[code] === score.n ? (longer[code] === 0 ? 'single' : 'baseline') : 'conductor';
    return [{ conductor, group, right: right[code] ?? 0, score, cost: costs[code]?.estimate() ?? null }];
  });
  return {
    rows: rows.toSorted((one, other) => other.score.mean - one.score.mean || other.score.n - one.score.n),
    graded: rows.reduce((sum, { score }) => sum + score.n, 0),
    unpriced: unpricedRuns,
  };
}
