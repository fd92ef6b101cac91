/** @file Tests `topologyOf`, which classifies a workflow by its access lists: one step, chain, fan-in or other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOPOLOGIES, topologyOf } from '../../../src/core/analysis/topology';

const shape = (...access: number[][]) => topologyOf(access.map((seen) => ({ access: seen })));

describe('the topology of a workflow', () => {
  it('is null without steps, and `one step`, `chain` or `fan-in` for simple workflows of these shapes', () => {
    expect(shape()).toBeNull();
    expect(shape([])).toBe('one step');
    expect(shape([], [0], [1])).toBe('chain');
    expect(shape([], [0], [0, 1], [0, 1, 2])).toBe('chain');
    expect(shape([], [], [0, 1])).toBe('fan-in');
    expect(shape([], [0], [], [1, 2])).toBe('fan-in');
    expect(shape([], [], [], [], [0, 1, 2, 3])).toBe('fan-in');
  });

  it('is `other` if the workflow is not a chain and its last step does not combine independent steps', () => {
    expect(shape([], []), 'two independent steps').toBe('other');
    expect(shape([], [0], [0]), 'the last step does not see the second step').toBe('other');
    expect(shape([], [], [0, 1], [2], [2]), 'the independent steps are combined before the last step').toBe('other');
    expect(shape([], [], [1]), 'no step sees the first step').toBe('other');
  });

  it('is one of the four classes for any steps, and is `chain` if each later step sees its predecessor', () => {
    const access = fc
      .array(fc.array(fc.nat(15), { maxLength: 6 }), { minLength: 1, maxLength: 16 })
      .map((lists) => lists.map((seen, at) => ({ access: seen.filter((earlier) => earlier < at) })));
    fc.assert(
      fc.property(access, (steps) => {
        expect(TOPOLOGIES).toContain(topologyOf(steps));
        const chained = steps.map((step, at) => ({ access: at === 0 ? [] : [...step.access, at - 1] }));
        expect(topologyOf(chained)).toBe(steps.length === 1 ? 'one step' : 'chain');
      }),
    );
  });
});
