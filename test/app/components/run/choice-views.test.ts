import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choicesNote, choiceViews, isChanged } from '../../../../src/app/components/run/choice-views';
import { sameStep, type Step, type StepChoice, type Workflow } from '../../../../src/core/contract';
import { poolWorker, step } from '../../../fixtures/run-events';

const pool = [poolWorker(0), poolWorker(1), poolWorker(2, { kind: 'conductor' })];
const reason = (right: number): StepChoice => {
  return { basis: 'history', expected: 0.5, graded: 9, right, inRole: false, runs: [] };
};
const written: Workflow = {
  steps: [step(0, 'Solve it'), { ...step(1, 'Check it', [0]), role: 'verify' }, step(2, 'Go on', [1])],
};
const choices = [reason(1), reason(2), reason(3)];
const viewsOf = (current: Workflow) => choiceViews(choices, { written, current, pool });

describe('why these workers', () => {
  it('is said of every step but the Conductor’s own while the plan is as it was written', () => {
    expect(viewsOf(written)).toMatchObject([
      { number: 1, worker: { name: 'Alder' }, role: 'solve', choice: { right: 1 } },
      { number: 2, worker: { name: 'Birch' }, role: 'verify', choice: { right: 2 } },
    ]);
    expect(isChanged(written, written)).toBe(false);
  });

  it('goes with the role that the Conductor took the step to be for', () => {
    const [view] = choiceViews([{ ...reason(1), by: 'model', role: 'plan' }], { written, current: written, pool });
    expect(view?.role).toBe('plan');
  });

  it.each<[string, Step[]]>([
    ['another worker', [step(1, 'Solve it')]],
    ['another subtask', [step(0, 'Solve it with care')]],
    ['another view', [step(0, 'Solve it', [7])]],
  ])('is not said of a step with %s', (_change, [first]) => {
    const current = { steps: [first ?? step(0, ''), ...written.steps.slice(1)] };
    expect(viewsOf(current).map(({ number }) => number)).toEqual([2]);
    expect(isChanged(written, current)).toBe(true);
  });

  it('keeps to its step where an edit took the label off it', () => {
    const [, second] = written.steps;
    const { role: _label, ...bare } = second ?? step(1, '');
    expect(viewsOf({ steps: [step(0, 'Another'), bare] })).toMatchObject([{ number: 2, role: 'verify' }]);
  });

  it('is never said of a step that is not as it was written, whatever was changed', () => {
    const anyStep = fc.record({
      worker: fc.nat(2),
      subtask: fc.constantFrom('Solve it', 'Check it'),
      access: fc.constantFrom<number[]>([], [0]),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 5 }), fc.array(anyStep, { maxLength: 5 }), (before, after) => {
        const told = before.map((_, index) => reason(index));
        const views = choiceViews(told, { written: { steps: before }, current: { steps: after }, pool });
        for (const { number, choice, worker } of views) {
          const [one, other] = [before[number - 1], after[number - 1]];
          expect(one && other && sameStep(one, other)).toBe(true);
          expect(choice.right).toBe(number - 1);
          expect(worker).toBe(pool[other?.worker ?? -1]);
        }
        if (views.length < after.filter(({ worker }) => worker < 2).length)
          expect(isChanged({ steps: before }, { steps: after })).toBe(true);
      }),
    );
  });

  it('says who chose and gives no reasons', () => {
    expect(choicesNote(choices)).toBe('');
    expect(choicesNote([{ ...reason(1), by: 'network' }])).toMatch(/^The trained policy /);
    expect(choicesNote([{ ...reason(1), by: 'model' }])).toMatch(/^A language model /);
  });
});
