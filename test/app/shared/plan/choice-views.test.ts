import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choicesNote, choiceViews, isChanged } from '../../../../src/app/shared/plan/choice-views';
import { addStep, draftOf, moveStep, removeStep, workflowOf } from '../../../../src/app/state/plan-draft';
import type { Step, StepChoice, Workflow } from '../../../../src/core/contract';
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

describe('the reasons for the choice of workers', () => {
  it('are shown for each step of an unchanged plan, except steps of the Conductor', () => {
    expect(viewsOf(written)).toMatchObject([
      { number: 1, worker: { name: 'Alder' }, role: 'solve', choice: { right: 1 } },
      { number: 2, worker: { name: 'Birch' }, role: 'verify', choice: { right: 2 } },
    ]);
    expect(isChanged(written, written)).toBe(false);
  });

  it('show the role stored in the choice, even if the step has another role', () => {
    const [view] = choiceViews([{ ...reason(1), by: 'model', role: 'plan' }], { written, current: written, pool });
    expect(view?.role).toBe('plan');
  });

  it.each<[string, Step[]]>([
    ['worker', [step(1, 'Solve it')]],
    ['subtask', [step(0, 'Solve it with care')]],
    ['access', [step(0, 'Solve it', [7])]],
    ['access to earlier rounds', [{ ...step(0, 'Solve it'), seesEarlier: true }]],
  ])('are left out for a step if an edit changed its %s', (_change, [first]) => {
    const current = { steps: [first ?? step(0, ''), ...written.steps.slice(1)] };
    expect(viewsOf(current).map(({ number }) => number)).toEqual([2]);
    expect(isChanged(written, current)).toBe(true);
  });

  it('are shown with the role from before the edits if the edited step has no role', () => {
    const [, second] = written.steps;
    const { role: _label, ...bare } = second ?? step(1, '');
    expect(viewsOf({ steps: [step(0, 'Another'), bare] })).toMatchObject([{ number: 2, role: 'verify' }]);
  });

  const [first = step(0, ''), second = step(1, '')] = written.steps;

  it.each<[string, Step[], number[], number[]]>([
    ['the first step, which no other step saw, was removed', [step(1, 'Solve it again')], [1], [2]],
    ['a step was inserted before it', [step(1, 'Plan'), first, step(1, 'Solve it again')], [2, 3], [1, 2]],
    ['the steps swapped places', [step(1, 'Solve it again'), first], [1, 2], [2, 1]],
  ])('stay with their step if %s', (_change, steps, numbers, rights) => {
    const before = { steps: [first, step(1, 'Solve it again')] };
    const views = choiceViews(choices, { written: before, current: { steps }, pool });
    expect(views.map(({ number }) => number)).toEqual(numbers);
    expect(views.map(({ choice }) => choice.right)).toEqual(rights);
  });

  it('stay with a step only while it sees the same steps, whose positions may change', () => {
    const moved = { steps: [step(1, 'Plan'), first, { ...second, access: [1] }] };
    expect(viewsOf(moved).map(({ number }) => number)).toEqual([2, 3]);
    const blinded = { steps: [step(1, 'Plan'), first, { ...second, access: [0] }] };
    expect(
      viewsOf(blinded).map(({ number }) => number),
      'it sees a different step',
    ).toEqual([2]);
    expect(viewsOf({ steps: [{ ...second, access: [] }] }), 'the step that it saw was removed').toEqual([]);
  });

  it('come with a note about changed steps if steps were removed or added, not if they moved', () => {
    const two = { steps: [first, step(1, 'Solve it again')] };
    expect(isChanged(two, { steps: two.steps.slice(0, 1) })).toBe(true);
    expect(isChanged(two, { steps: two.steps.slice(1) })).toBe(true);
    expect(isChanged(two, { steps: [...two.steps, step(0, 'More')] })).toBe(true);
    expect(isChanged(two, { steps: two.steps.toReversed() })).toBe(false);
  });

  it('are shown at most once each after any edits, and only if worker and subtask are unchanged', () => {
    const anyStep = fc.record({
      worker: fc.nat(2),
      subtask: fc.constantFrom('Solve it', 'Check it'),
      access: fc.constantFrom<number[]>([], [0]),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 5 }), fc.array(anyStep, { maxLength: 5 }), (before, after) => {
        const reasons = before.map((_, index) => reason(index));
        const views = choiceViews(reasons, { written: { steps: before }, current: { steps: after }, pool });
        for (const { number, choice, worker } of views) {
          const [one, other] = [before[choice.right], after[number - 1]];
          expect([one?.worker, one?.subtask, one?.access.length]).toEqual([
            other?.worker,
            other?.subtask,
            other?.access.length,
          ]);
          expect(worker).toBe(pool[other?.worker ?? -1]);
        }
        expect(new Set(views.map(({ choice }) => choice.right)).size).toBe(views.length);
        if (views.length < after.filter(({ worker }) => worker < 2).length)
          expect(isChanged({ steps: before }, { steps: after })).toBe(true);
      }),
    );
  });

  it('stay with every unchanged step when other steps are removed, added or moved', () => {
    const anyEdit = fc.record({ kind: fc.constantFrom('remove', 'add', 'up', 'down'), key: fc.nat(6) });
    const seen = fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(seen, fc.array(anyEdit, { maxLength: 6 }), (sees, edits) => {
        const steps = sees.map((row, index) => {
          const access = row.flatMap((isSeen, place) => (isSeen && place < index ? [place] : []));
          return step(index % 2, `Part ${index}`, access);
        });
        const start = draftOf({ steps }, pool);
        const draft = edits.reduce((now, { kind, key }, place) => {
          if (kind === 'remove') return removeStep(now, key);
          if (kind !== 'add') return moveStep(now, key, kind === 'up' ? -1 : 1);
          const added = addStep(now, pool[0]?.id ?? null);
          return added.map((each) => (each.subtask ? each : { ...each, subtask: `New ${place}` }));
        }, start);
        const left = draft.flatMap(({ key, sees: views, subtask }, index) => {
          const origin = start.find((each) => each.key === key && each.subtask === subtask);
          const isAsBefore = origin && String(views.toSorted()) === String(origin.sees.toSorted());
          return isAsBefore ? [[index + 1, key]] : [];
        });
        const reasons = steps.map((_, index) => reason(index));
        const views = choiceViews(reasons, { written: { steps }, current: workflowOf(draft, pool), pool });
        expect(views.map(({ number, choice }) => [number, choice.right])).toEqual(left);
      }),
    );
  });

  it('have a note only if the policy or a language model chose the workers', () => {
    expect(choicesNote(choices)).toBe('');
    expect(choicesNote([{ ...reason(1), by: 'network' }])).toMatch(/^The trained policy /);
    expect(choicesNote([{ ...reason(1), by: 'model' }])).toMatch(/^A language model /);
  });
});
