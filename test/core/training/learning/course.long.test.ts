/** @file Tests that a training course reports figures, and that training is reproducible. */
import { describe, expect, it } from 'vitest';
import { PARAMETER_NAMES } from '../../../../src/core/policy/parameters';
import { STEPS } from '../../../../src/core/policy/moves';
import { useBackend } from '../../../../src/core/training/learning/backend';
import { createCourse, type CourseStep } from '../../../../src/core/training/learning/course';
import { DEFAULT_COURSE } from '../../../../src/core/training/learning/course-options';
import { smallSociety } from '../society';

const society = smallSociety();

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
