/** @file Checks that the shape of a workflow follows from its access lists and roles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLES, SHAPES, type Role, type Step } from '../../../src/core/contract';
import { shapeOf } from '../../../src/core/analysis/shape';
import { topologyOf } from '../../../src/core/analysis/topology';

type Words = readonly [role: Role, ...access: number[]];
const shape = (...steps: Words[]) =>
  shapeOf(
    steps.map(([, ...access]) => ({ access })),
    steps.map(([role]) => role),
  );

describe('the shape of a workflow', () => {
  it('is “one step”, “chain” or “fan-in” if none of the finer classes applies', () => {
    expect(shape()).toBeNull();
    expect(shape(['plan'])).toBe('one step');
    expect(shape(['solve'], ['solve', 0], ['decide', 1])).toBe('chain');
    expect(shape(['solve'], ['verify', 0], ['decide', 0, 1])).toBe('chain');
    expect(shape(['solve'], ['solve'], ['decide', 0, 1])).toBe('fan-in');
    expect(shape(['solve'], ['solve'], ['verify', 0, 1], ['decide', 0, 1, 2])).toBe('fan-in');
  });

  it('is plan-execute when the first step plans and the last step depends on the plan', () => {
    expect(shape(['plan'], ['solve', 0])).toBe('plan-execute');
    expect(shape(['plan'], ['solve', 0], ['solve', 0], ['aggregate', 1, 2])).toBe('plan-execute');
    expect(shape(['plan'], ['solve', 0], ['verify', 1], ['refine', 1, 2])).toBe('plan-execute');
    expect(shape(['plan'], ['solve'], ['solve', 1]), 'an unused plan').toBe('other');
    expect(shape(['solve'], ['plan', 0], ['solve', 1]), 'a plan in the middle').toBe('chain');
  });

  it('is verify-refine when a step sees a check and corrects the result', () => {
    expect(shape(['solve'], ['verify', 0], ['refine', 0, 1])).toBe('verify-refine');
    expect(shape(['solve'], ['solve'], ['verify', 0, 1], ['refine', 0, 1, 2])).toBe('verify-refine');
    expect(shape(['solve'], ['verify', 0], ['solve', 0, 1], ['decide', 2])).toBe('verify-refine');
    expect(shape(['solve'], ['verify', 0], ['refine', 0]), 'a check that no step sees').toBe('other');
    expect(shape(['verify'], ['refine', 0]), 'a check of nothing').toBe('chain');
  });

  it('is a debate when several steps see the same independent results', () => {
    // Two layers of Mixture of Agents.
    expect(shape(['solve'], ['solve'], ['solve', 0, 1], ['solve', 0, 1], ['decide', 2, 3])).toBe('debate');
    expect(
      shape(['plan'], ['solve', 0], ['solve', 0], ['refine', 1, 2], ['refine', 1, 2], ['decide', 3, 4]),
      'after a plan',
    ).toBe('debate');
    expect(shape(['solve'], ['solve'], ['solve', 0, 1], ['solve', 0, 1]), 'no step sees the third step').toBe('fan-in');
  });

  it('is a tree when independent results are combined before the last step', () => {
    expect(
      shape(['solve'], ['solve'], ['aggregate', 0, 1], ['solve'], ['solve'], ['aggregate', 3, 4], ['decide', 2, 5]),
    ).toBe('tree');
    expect(shape(['solve'], ['solve'], ['aggregate', 0, 1], ['decide', 2])).toBe('tree');
    expect(shape(['solve'], ['solve'], ['aggregate', 0, 1], ['solve'], ['decide', 2])).toBe('other');
  });

  const workflows = fc
    .array(
      fc.record({
        worker: fc.nat(6),
        role: fc.constantFrom(...ROLES),
        access: fc.uniqueArray(fc.nat(15), { maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 16 },
    )
    .map((steps): readonly Step[] =>
      steps.map((step, at) => ({
        ...step,
        subtask: 'x',
        access: step.access.filter((seen) => seen < at).toSorted((one, other) => one - other),
      })),
    );
  const rolesOf = (steps: readonly Step[]) => steps.map(({ role }) => role ?? 'solve');

  it('is one of the eight classes, and a coarse class always equals the result of `topologyOf`', () => {
    fc.assert(
      fc.property(workflows, (steps) => {
        const found = shapeOf(steps, rolesOf(steps));
        expect(SHAPES).toContain(found);
        const topology = topologyOf(steps);
        if (found === 'one step' || topology === 'one step') expect(found).toBe(topology);
        if (found === 'chain' || found === 'other' || found === 'fan-in') expect(topology).toBe(found);
      }),
    );
  });

  it('does not change when the workers get other indexes', () => {
    fc.assert(
      fc.property(workflows, fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }), (steps, numbers) => {
        const renumbered = steps.map((step) => ({ ...step, worker: numbers[step.worker] ?? 0 }));
        expect(shapeOf(renumbered, rolesOf(renumbered))).toBe(shapeOf(steps, rolesOf(steps)));
      }),
    );
  });

  it('does not change when two independent first steps swap places', () => {
    const swap = (at: number) => (at === 0 ? 1 : at === 1 ? 0 : at);
    fc.assert(
      fc.property(workflows, (drawn) => {
        fc.pre(drawn.length > 2);
        const steps = drawn.map((step, at) => ({
          ...step,
          role: step.role === 'plan' ? ('solve' as const) : step.role,
          access: at === 1 ? [] : step.access,
        }));
        const swapped = steps.map((_, at) => ({
          access: (steps[swap(at)]?.access ?? []).map(swap).toSorted((one, other) => one - other),
        }));
        const roles = rolesOf(steps);
        const swappedRoles = roles.map((_, at) => roles[swap(at)] ?? 'solve');
        expect(shapeOf(swapped, swappedRoles)).toBe(shapeOf(steps, roles));
      }),
    );
  });
});
