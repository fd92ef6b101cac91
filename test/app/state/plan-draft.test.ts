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
  test('says the same workflow again', () => {
    expect(workflowOf(draft, pool)).toEqual(workflow);
    expect(draftProblem(draft, pool, limits)).toBeNull();
  });

  test('keeps what it sees when steps move, and never sees ahead', () => {
    const moved = workflowOf(moveStep(draft, 1, -1), pool);
    expect(moved.steps.map(({ subtask, access }) => [subtask, access])).toEqual([
      ['Check', []],
      ['Solve', []],
      ['Decide', [0, 1]],
    ]);
    expect(moveStep(draft, 0, -1)).toBe(draft);
  });

  test('forgets a step that is removed', () => {
    expect(workflowOf(removeStep(draft, 0), pool).steps.map(({ access }) => access)).toEqual([[], [0]]);
  });

  test('a new step sees all before it and needs an instruction', () => {
    const longer = addStep(draft, pool[0]?.id ?? null);
    expect(workflowOf(longer, pool).steps[3]).toEqual({ worker: 0, subtask: '', access: [0, 1, 2] });
    expect(draftProblem(longer, pool, limits)).toMatchObject({ at: 3, message: 'Step 4 has no instruction.' });
  });

  test('a new subtask drops the old role, a new worker does not', () => {
    expect(workflowOf(changeStep(draft, 2, { workerId: 'sim:alder' }), pool).steps[2]?.role).toBe('decide');
    expect(workflowOf(changeStep(draft, 2, { subtask: 'Count' }), pool).steps[2]?.role).toBeUndefined();
  });

  test('asks for a worker where the chosen one has left the pool', () => {
    const smaller = pool.slice(0, 1);
    expect(draftProblem(draft, smaller, limits)).toEqual({ at: 1, message: 'Step 2 has no worker. Choose one.' });
  });

  test('whatever is done to it, access stays within the rules', () => {
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
