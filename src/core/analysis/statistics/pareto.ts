/**
 * @file Computes the Pareto front of cost and score, which consists of the points that no other point beats. A point beats
 * another point in two cases: it has a higher score and does not cost more, or it has the same score and costs less.
 */

export interface CostPoint {
  readonly id: string;
  /** US dollars per task. `null`: the cost is unknown, so the point is not on the front. */
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
