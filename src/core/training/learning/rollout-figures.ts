/**
 * @file Computes statistics of the workflows in an update: shapes, lengths, entropy and the skill
 * ranks of the called workers. The statistics are for reports only. Computing them must not affect
 * a random stream or a loss.
 */
import { TOPOLOGIES, topologyOf, type Topology } from '../../analysis/topology';
import { isGrammatical, ROLE_OF_MOVE, type Skeleton } from '../../policy/moves';
import { skillOf } from '../../simulation/profiles';
import type { Item } from '../environment/items';
import type { RolloutFigures } from './figures';

/** Number of skill ranks: best worker, second, third, and all other workers together. */
const RANKS = 4;

/**
 * @param items one item (a question with its pool) for each group
 * @param group number of workflows for each item
 * @param skeletons workflows without subtasks. The workflows of one item are adjacent
 * @param logProbability log-probability of each step of each skeleton at sampling time
 */
export function rolloutFigures(
  items: readonly Item[],
  group: number,
  skeletons: readonly Skeleton[],
  logProbability: Float32Array,
): RolloutFigures {
  const shapes = new Map<Topology, number>();
  const ranks: number[] = [];
  let [valid, steps] = [0, 0];
  for (const [rollout, skeleton] of skeletons.entries()) {
    const item = items[Math.floor(rollout / group)];
    if (!item) throw new RangeError(`Rollout ${rollout} has no item.`);
    const shape = topologyOf(skeleton);
    if (shape) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    valid += Number(isGrammatical(skeleton, item.input.limits));
    steps += skeleton.length;
    ranks.push(...ranksOf(item, skeleton));
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
      share(ranks.filter((each) => Math.min(each, RANKS - 1) === rank).length, ranks.length),
    ),
  };
}

/** For each worker call, the number of workers in the pool with a higher skill. */
function ranksOf({ workers, input, simulator }: Item, skeleton: Skeleton): number[] {
  const { family } = simulator.puzzle;
  return skeleton.flatMap(({ row, move }) => {
    const called = workers[input.rows[row] ?? -1];
    if (move === null || !called) return [];
    const role = ROLE_OF_MOVE[move];
    const skill = skillOf(called.profile, role, family);
    return [workers.filter(({ profile }) => skillOf(profile, role, family) > skill).length];
  });
}
