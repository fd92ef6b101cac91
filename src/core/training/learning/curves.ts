/**
 * @file Computes the training curves, update by update. Neighboring updates are averaged, so that there are few points and
 * the noise of single updates is smoothed.
 */
import { TOPOLOGIES, type Topology } from '../../analysis/topology';
import { DEFAULT_COURSE } from './course-options';
import type { UpdateFigures, ValidationFigures } from './figures';

/** Maximum number of points on a curve. */
export const MAX_POINTS = 120;

/** The mean of one or more neighboring updates. */
export interface CurvePoint extends UpdateFigures {
  /** Number of updates in the mean. */
  readonly weight: number;
}

export interface Curves {
  /** Number of planned updates. */
  readonly planned: number;
  /** Number of the latest update, even if it is not on the curves. 0 before the first. */
  readonly update: number;
  readonly points: readonly CurvePoint[];
  readonly validated: readonly ValidationFigures[];
}

export function emptyCurves(planned: number): Curves {
  return { planned, update: 0, points: [], validated: [] };
}

/**
 * Adds an update. An update that trains second rounds does not change the points, because its figures are not
 * comparable with those of other updates.
 */
export function withUpdate(curves: Curves, figures: UpdateFigures): Curves {
  const { planned, points } = curves;
  const { update } = figures;
  if (update % DEFAULT_COURSE.recursionEvery === 0) return { ...curves, update };
  const bucket = (at: number) => Math.floor(((at - 1) * MAX_POINTS) / Math.max(planned, MAX_POINTS));
  const last = points.at(-1);
  const joins = last !== undefined && bucket(last.update) === bucket(update);
  const next = joins ? [...points.slice(0, -1), meanOf(last, figures)] : [...points, { ...figures, weight: 1 }];
  return { ...curves, update, points: next };
}

export function withValidated(curves: Curves, validated: ValidationFigures): Curves {
  return { ...curves, validated: [...curves.validated, validated] };
}

/** Adds an update to the mean of a point. */
function meanOf(point: CurvePoint, figures: UpdateFigures): CurvePoint {
  const weight = point.weight + 1;
  const mean = (one: number, other: number) => one + (other - one) / weight;
  const shapes = TOPOLOGIES.map((shape) => [shape, mean(point.topologies[shape], figures.topologies[shape])] as const);
  return {
    update: figures.update,
    weight,
    reward: mean(point.reward, figures.reward),
    right: mean(point.right, figures.right),
    calls: mean(point.calls, figures.calls),
    loss: mean(point.loss, figures.loss),
    gradient: mean(point.gradient, figures.gradient),
    valid: mean(point.valid, figures.valid),
    steps: mean(point.steps, figures.steps),
    entropy: mean(point.entropy, figures.entropy),
    topologies: Object.fromEntries(shapes) as Record<Topology, number>,
    ranks: point.ranks.map((share, rank) => mean(share, figures.ranks[rank] ?? 0)),
  };
}

/**
 * Whether the policy has collapsed to one-step workflows. The reward does not always show this, because it can rise as plans get
 * shorter and cheaper.
 */
export function hasCollapsed({ points }: Curves): boolean {
  const last = points.at(-1);
  return last !== undefined && last.steps < 1.2;
}
