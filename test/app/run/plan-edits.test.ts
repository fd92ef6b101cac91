import { describe, expect, it } from 'vitest';
import { planEdits } from '../../../src/app/run/plan-edits';
import { poolWorker, step } from '../../fixtures/run-events';

const POOL = [0, 1, 2].map((index) => poolWorker(index));
const BEFORE = { steps: [step(0, 'Solve'), step(1, 'Check', [0]), step(2, 'Decide', [0, 1])] };

describe('the sentences about changes to a plan', () => {
  it('name a changed worker, the old subtask, and changed access', () => {
    const after = { steps: [step(1, 'Solve'), step(1, 'Check well', [0]), step(2, 'Decide')] };
    expect(planEdits(BEFORE, after, POOL, 1)).toEqual([
      'Step 1: Birch instead of Alder.',
      'Step 2: new subtask instead of “Check”.',
      'Step 3: sees the question only instead of steps 1 and 2.',
    ]);
  });

  it('name added or removed access to earlier rounds', () => {
    const withEarlier = { steps: BEFORE.steps.map((each) => ({ ...each, seesEarlier: true })) };
    expect(planEdits(withEarlier, BEFORE, POOL, 1)).toEqual([
      'Step 1: sees the question only instead of earlier rounds.',
      'Step 2: sees step 1 instead of step 1 and earlier rounds.',
      'Step 3: sees steps 1 and 2 instead of steps 1, 2 and earlier rounds.',
    ]);
    expect(planEdits(BEFORE, withEarlier, POOL, 1)[0]).toBe(
      'Step 1: sees earlier rounds instead of the question only.',
    );
    const denied = { steps: BEFORE.steps.map((each) => ({ ...each, seesEarlier: false })) };
    expect(planEdits(denied, BEFORE, POOL, 1), 'absent `seesEarlier` is the same as false').toEqual([]);
  });

  it('name added and removed steps', () => {
    expect(planEdits(BEFORE, { steps: BEFORE.steps.slice(0, 2) }, POOL, 1)).toEqual([
      'Step 3: removed (Cedar, “Decide”).',
    ]);
    expect(planEdits(BEFORE, { steps: [...BEFORE.steps, step(0, 'Shorten', [2])] }, POOL, 1)).toEqual([
      'Step 4: added for Alder.',
    ]);
  });

  it('continue the step numbers of the earlier rounds in a later round', () => {
    const after = { steps: [step(0, 'Solve'), step(1, 'Check'), step(2, 'Decide', [1])] };
    expect(planEdits(BEFORE, after, POOL, 4)).toEqual([
      'Step 5: sees the question only instead of step 4.',
      'Step 6: sees step 5 instead of steps 4 and 5.',
    ]);
  });

  it('are absent for an unchanged plan', () => {
    expect(planEdits(BEFORE, BEFORE, POOL, 1)).toEqual([]);
  });
});
