/**
 * @file What the workflows of an update were like, beside what they earned: their shapes, how long they are, how undecided the
 * policy was, and whom it called. Only told, never learned from: nothing here touches a random stream or a loss.
 */
import { TOPOLOGIES, topologyOf, type Topology } from '../analysis';
import { isGrammatical, ROLE_OF_MOVE, type Skeleton } from '../policy';
import { skillOf } from '../simulation';
import type { Item } from './environment';

/** Places in a pool that are told apart: best, second, third, and whoever comes after. */
export const RANKS = 4;

/** Means and shares over the rollouts of an update. */
export interface RolloutFigures {
  /** Share of workflows that keep to the grammar. */
  readonly valid: number;
  /** Steps of a workflow. */
  readonly steps: number;
  /** Nats for each step: the mean surprise of what was drawn, which estimates the entropy of a step's choices. */
  readonly entropy: number;
  /** Shares of shapes; together 1. */
  readonly topologies: Readonly<Record<Topology, number>>;
  /**
   * Shares of calls that went to the best worker of the pool, to the second, the third and any other: by true skill in the
   * step's role on the question's family, which only a simulation knows. Together 1, or all 0 without calls.
   */
  readonly ranks: readonly number[];
}

/**
 * @param items what was asked, one for each group
 * @param skeletons group after group
 * @param logProbability of each step of each skeleton, when it was drawn
 */
export function rolloutFigures(
  items: readonly Item[],
  group: number,
  skeletons: readonly Skeleton[],
  logProbability: Float32Array,
): RolloutFigures {
  const shapes = new Map<Topology, number>();
  const places: number[] = [];
  let [valid, steps] = [0, 0];
  for (const [rollout, skeleton] of skeletons.entries()) {
    const item = items[Math.floor(rollout / group)];
    if (!item) throw new RangeError('There is no such item.');
    const shape = topologyOf(skeleton);
    if (shape) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    valid += Number(isGrammatical(skeleton, item.input.limits));
    steps += skeleton.length;
    places.push(...placesOf(item, skeleton));
  }
  const share = (part: number, of: number) => part / Math.max(1, of);
  const shaped = [...shapes.values()].reduce((sum, each) => sum + each, 0);
  const surprise = logProbability.reduce((sum, each) => sum - each, 0);
  return {
    valid: share(valid, skeletons.length),
    steps: share(steps, skeletons.length),
    entropy: share(surprise, steps),
    topologies: Object.fromEntries(TOPOLOGIES.map((shape) => [shape, share(shapes.get(shape) ?? 0, shaped)])) as Record<
      Topology,
      number
    >,
    ranks: Array.from({ length: RANKS }, (_, rank) =>
      share(places.filter((place) => Math.min(place, RANKS - 1) === rank).length, places.length),
    ),
  };
}

/** For each call, how many workers of the pool are better at it. */
function placesOf({ workers, input, simulator }: Item, skeleton: Skeleton): number[] {
  const { family } = simulator.puzzle;
  return skeleton.flatMap(({ row, move }) => {
    const called = workers[input.rows[row] ?? -1];
    if (move === null || !called) return [];
    const role = ROLE_OF_MOVE[move];
    const skill = skillOf(called.profile, role, family);
    return [workers.filter(({ profile }) => skillOf(profile, role, family) > skill).length];
  });
}
