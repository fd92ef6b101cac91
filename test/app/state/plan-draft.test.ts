import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkWorkflow } from '../../../src/core/contract';
import {
  addStep,
  changeStep,
  draftOf,
  draftProblem,
  moveStep,
  removeStep,
  workflowOf,
  type PlanDraft,
} from '../../../src/app/state/plan-draft';
import { poolWorker, step } from '../../fixtures/run-events';

const pool = [0, 1, 2].map((index) => poolWorker(index));
const workflow = {
  steps: [step(0, 'Solve'), step(1, 'Check', [0]), { ...step(2, 'Decide', [0, 1]), role: 'decide' as const }],
};
const draft = draftOf(workflow, pool);
const limits = { maxSteps: 5, recursion: false };

describe('a plan draft', () => {
  test('converts back to the same workflow', () => {
    expect(workflowOf(draft, pool)).toEqual(workflow);
    expect(draftProblem(draft, pool, limits)).toBeNull();
  });

  test('loses access to later steps when a step moves, but keeps all other access', () => {
    const moved = workflowOf(moveStep(draft, 1, -1), pool);
    expect(moved.steps.map(({ subtask, access }) => [subtask, access])).toEqual([
      ['Check', []],
      ['Solve', []],
      ['Decide', [0, 1]],
    ]);
    expect(moveStep(draft, 0, -1)).toBe(draft);
  });

  test('removes a deleted step from the access lists of the other steps', () => {
    expect(workflowOf(removeStep(draft, 0), pool).steps.map(({ access }) => access)).toEqual([[], [0]]);
  });

  test('gives a new step access to all steps before it, and requires a subtask', () => {
    const longer = addStep(draft, pool[0]?.id ?? null);
    expect(workflowOf(longer, pool).steps[3]).toEqual({ worker: 0, subtask: '', access: [0, 1, 2] });
    expect(draftProblem(longer, pool, limits)).toMatchObject({ at: 3, message: 'Step 4 has no instruction.' });
  });

  test('continues the step numbers of earlier rounds in its messages', () => {
    const later = { ...limits, stepsBefore: 3 };
    const longer = addStep(draft, 'sim:alder');
    expect(draftProblem(longer, pool, later)).toMatchObject({ at: 3, message: 'Step 7 has no instruction.' });
    expect(draftProblem(draft, pool.slice(0, 1), later)?.message).toBe('Step 5 has no worker. Choose one.');
  });

  test('drops the role of a step when its subtask changes, but not when its worker changes', () => {
    expect(workflowOf(changeStep(draft, 2, { workerId: 'sim:alder' }), pool).steps[2]?.role).toBe('decide');
    expect(workflowOf(changeStep(draft, 2, { subtask: 'Count' }), pool).steps[2]?.role).toBeUndefined();
  });

  test('asks for another worker if the chosen one has left the pool', () => {
    const smaller = pool.slice(0, 1);
    expect(draftProblem(draft, smaller, limits)).toEqual({ at: 1, message: 'Step 2 has no worker. Choose one.' });
  });

  test('keeps access lists valid after any sequence of edits', () => {
    const edit = fc.record({ kind: fc.constantFrom('up', 'down', 'remove', 'add'), key: fc.nat(8) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 20 }), (edits) => {
        const done = edits.reduce<PlanDraft>((current, { kind, key }) => {
          if (kind === 'add') return changeStep(addStep(current, 'sim:alder'), key, { subtask: 'Do it' });
          if (kind === 'remove') return removeStep(current, key);
          return moveStep(current, key, kind === 'up' ? -1 : 1);
        }, draft);
        const problem = checkWorkflow(workflowOf(done, pool), { poolSize: 3, maxSteps: 99, allowEmpty: true });
        expect([null, 'empty-subtask']).toContain(problem?.code ?? null);
      }),
    );
  });
});
