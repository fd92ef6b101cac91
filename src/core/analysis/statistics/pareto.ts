/**
 * @file The Pareto front of cost against score: the points that no other point beats. A point beats another if it has a higher
 * score at the same or a lower cost, or the same score at a lower cost.
 */

export interface CostPoint {
  readonly id: string;
  /** US dollars per task. `null`: the cost is unknown, so the point cannot be compared. */
  readonly cost: number | null;
  readonly score: number;
}

/** The points that no other point beats, cheapest first. Equal points do not beat each other. */
export function paretoFront<Point extends CostPoint>(points: readonly Point[]): readonly Point[] {
  const priced = points
    .flatMap((point) => (point.cost === null ? [] : [{ point, cost: point.cost }]))
    .toSorted((one, other) => one.cost - other.cost || other.point.score - one.point.score);
  const front: { point: Point; cost: number }[] = [];
  for (const each of priced) {
    const best = front.at(-1);
    const equals = best?.cost === each.cost && best.point.score === each.point.score;
    if (!best || equals || each.point.score > best.point.score) front.push(each);
  }
  return front.map(({ point }) => point);
}
