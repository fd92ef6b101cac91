/** @file Tests the figures that a training update reports. */
import { describe, expect, it } from 'vitest';
import { STEPS, type Skeleton } from '../../../../src/core/policy/moves';
import { rolloutFigures } from '../../../../src/core/training/learning/rollout-figures';
import { skillOf } from '../../../../src/core/simulation/profiles';
import { items, smallSociety } from '../society';

const society = smallSociety();
const [item] = items(society, 1);

describe('rolloutFigures', () => {
  it('computes the validity, length, entropy, shapes and worker ranks of sampled plans', () => {
    if (!item) throw new Error('There is no item.');
    const { family } = item.simulator.puzzle;
    const ranking = [...item.workers.keys()].toSorted((one, other) => skill(other) - skill(one));
    function skill(row: number): number {
      const worker = item?.workers[row];
      return worker ? skillOf(worker.profile, 'solve', family) : 0;
    }
    const best = ranking[0] ?? 0;
    const alone: Skeleton = [{ row: best, move: 'solve', access: [] }];
    const chain: Skeleton = [...alone, { row: best, move: 'solve', access: [0] }];
    const surprise = new Float32Array(2 * STEPS);
    surprise.set([-0.5], 0);
    surprise.set([-0.5, -0.5], STEPS);
    expect(rolloutFigures([item], 2, [alone, chain], surprise)).toEqual({
      valid: 1,
      steps: 1.5,
      entropy: 0.5,
      topologies: { 'one step': 0.5, chain: 0.5, 'fan-in': 0, other: 0 },
      ranks: [1, 0, 0, 0],
    });
    const last = ranking.at(-1) ?? 0;
    const worst = rolloutFigures([item], 1, [[{ row: last, move: 'solve', access: [] }]], surprise);
    expect(worst.ranks[Math.min(3, item.workers.length - 1)]).toBe(1);
    const broken = rolloutFigures([item], 1, [[{ row: best, move: 'verify', access: [] }]], surprise);
    expect(broken.valid).toBe(0);
  });

  it('returns zeros without rollouts', () => {
    expect(rolloutFigures([], 1, [], new Float32Array())).toEqual({
      valid: 0,
      steps: 0,
      entropy: 0,
      topologies: { 'one step': 0, chain: 0, 'fan-in': 0, other: 0 },
      ranks: [0, 0, 0, 0],
    });
  });
});
