/**
 * @file The curves of a training as a fold over its updates. However many updates there are, the points stay few: neighbours
 * are averaged, which quiets the noise of single batches as well.
 */
import { TOPOLOGIES, type Topology } from '../analysis/topology';
import type { UpdateFigures, Validated } from './orders';

/** Every so many updates the Conductor may ask for second rounds: other items, whose figures do not compare. */
export const OTHER_ITEMS_EVERY = 6;
/** Points on a curve, at most. */
export const MOST_POINTS = 120;

/** The mean of some neighbouring updates. */
export interface CurvePoint extends UpdateFigures {
  /** How many updates it is the mean of. */
  readonly weight: number;
}

export interface Curves {
  /** Updates that are planned. */
  readonly planned: number;
  /** The newest update, on the curves or not; 0 before the first. */
  readonly update: number;
  readonly points: readonly CurvePoint[];
  readonly validated: readonly Validated[];
}

export function emptyCurves(planned: number): Curves {
  return { planned, update: 0, points: [], validated: [] };
}

/** The curves with one more update. */
export function withUpdate(curves: Curves, figures: UpdateFigures): Curves {
  const { planned, points } = curves;
  const { update } = figures;
  if (update % OTHER_ITEMS_EVERY === 0) return { ...curves, update };
  const bucket = (at: number) => Math.floor(((at - 1) * MOST_POINTS) / Math.max(planned, MOST_POINTS));
  const last = points.at(-1);
  const joins = last !== undefined && bucket(last.update) === bucket(update);
  const next = joins ? [...points.slice(0, -1), meanOf(last, figures)] : [...points, { ...figures, weight: 1 }];
  return { ...curves, update, points: next };
}

export function withValidated(curves: Curves, validated: Validated): Curves {
  return { ...curves, validated: [...curves.validated, validated] };
}

/** A point with one more update in it; it stands at the newest of them. */
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

/** Whether workflows have shrunk to hardly more than one step: the policy then earns by being short, not by being right. */
export function hasCollapsed({ points }: Curves): boolean {
  const last = points.at(-1);
  return last !== undefined && last.steps < 1.2;
}
