/** @file Tests the figures that a training update reports, and that training is reproducible. */
import { describe, expect, it } from 'vitest';
import { PARAMETER_NAMES, STEPS, type Skeleton } from '../../../../src/core/policy';
import { useBackend } from '../../../../src/core/training/learning/backend';
import { rolloutFigures } from '../../../../src/core/training/learning/rollout-figures';
import { createCourse, type CourseStep } from '../../../../src/core/training/learning/course';
import { DEFAULT_COURSE } from '../../../../src/core/training/learning/course-options';
import { skillOf } from '../../../../src/core/simulation';
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

describe('a training course', () => {
  const options = {
    ...DEFAULT_COURSE,
    seed: 5,
    updates: 2,
    pretrainingUpdates: 1,
    requests: 2,
    group: 4,
    items: 6,
    width: 8,
  };

  async function follow(): Promise<{ steps: CourseStep[]; weights: readonly (readonly number[])[] }> {
    const course = createCourse(society, options);
    const steps: CourseStep[] = [];
    for await (const step of course.steps(new AbortController().signal)) steps.push(step);
    const parameters = await course.parameters();
    return { steps, weights: PARAMETER_NAMES.map((name) => [...parameters[name].values]) };
  }

  it(
    'reports figures for every update after pretraining, and repeats exactly with the same seed',
    { timeout: 120_000 },
    async () => {
      expect(await useBackend('wasm')).toBe(true);
      const first = await follow();
      const second = await follow();
      expect(second).toEqual(first);
      expect(first.steps.map(({ rollouts }) => rollouts === null)).toEqual([true, false, false]);
      for (const { rollouts } of first.steps) {
        if (!rollouts) continue;
        expect(rollouts.valid).toBe(1);
        expect(rollouts.steps).toBeGreaterThanOrEqual(1);
        expect(rollouts.steps).toBeLessThanOrEqual(STEPS);
        expect(rollouts.entropy).toBeGreaterThan(0);
        expect(Object.values(rollouts.topologies).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
        expect(rollouts.ranks.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
      }
    },
  );
});
