/**
 * @file Tests two parts of the GRPO loss: the advantages of rollouts, and the weights of steps. Both are tested under
 * the default settings and the paper's settings. A rollout is a sampled workflow. A group is the rollouts for one
 * question.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STEPS } from '../../../../src/core/policy/moves';
import { advantagesOf, DEFAULT_LOSS, PAPER_LOSS, stepWeights } from '../../../../src/core/training/learning/grpo';

const sum = (values: Float32Array) => values.reduce((total, each) => total + each, 0);

describe('advantages', () => {
  it('are the rewards minus the mean of their group under the default settings', () => {
    const rewards = Float32Array.of(1, 0, 0.5, 0.5);
    expect([...advantagesOf(rewards, 2, DEFAULT_LOSS)]).toEqual([0.5, -0.5, 0, 0]);
  });

  it('are divided by the standard deviation under the paper’s settings', () => {
    expect([...advantagesOf(Float32Array.of(1, 0.9), 2, PAPER_LOSS)].map((each) => Math.round(each))).toEqual([1, -1]);
  });

  it('add up to 0 in each group, and are all 0 when the rewards are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), (rewards) => {
        for (const settings of [DEFAULT_LOSS, PAPER_LOSS]) {
          const advantages = advantagesOf(Float32Array.from(rewards), 4, settings);
          for (const start of [0, 4]) expect(sum(advantages.subarray(start, start + 4))).toBeCloseTo(0, 3);
          expect(advantages.every(Number.isFinite)).toBe(true);
        }
      }),
    );
    expect([...advantagesOf(Float32Array.of(0.7, 0.7), 2, PAPER_LOSS)]).toEqual([0, 0]);
  });
});

describe('step weights', () => {
  const mask = new Float32Array(2 * STEPS);
  mask.fill(1, 0, 1);
  mask.fill(1, STEPS, STEPS + 4);

  it('are equal for all steps under the default settings', () => {
    const weights = stepWeights(mask, DEFAULT_LOSS);
    expect(weights[0]).toBeCloseTo(0.2);
    expect(weights[STEPS]).toBeCloseTo(0.2);
    expect(sum(weights)).toBeCloseTo(1);
  });

  it('add up to the same total for each rollout under the paper’s settings', () => {
    const weights = stepWeights(mask, PAPER_LOSS);
    expect(weights[0]).toBeCloseTo(0.5);
    expect(weights[STEPS]).toBeCloseTo(0.125);
    expect(sum(weights)).toBeCloseTo(1);
  });
});
