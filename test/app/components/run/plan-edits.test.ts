import { describe, expect, it } from 'vitest';
import { planEdits } from '../../../../src/app/components/run/plan-edits';
import { poolWorker, step } from '../../../fixtures/run-events';

const POOL = [0, 1, 2].map((index) => poolWorker(index));
const BEFORE = { steps: [step(0, 'Solve'), step(1, 'Check', [0]), step(2, 'Decide', [0, 1])] };

describe('changes to a plan', () => {
  it('name the worker, the subtask and the access', () => {
    const after = { steps: [step(1, 'Solve'), step(1, 'Check well', [0]), step(2, 'Decide')] };
    expect(planEdits(BEFORE, after, POOL)).toEqual([
      'Step 1: Birch instead of Alder.',
      'Step 2: new subtask instead of “Check”.',
      'Step 3: sees the question only instead of steps 1 and 2.',
    ]);
  });

  it('name added and removed steps', () => {
    expect(planEdits(BEFORE, { steps: BEFORE.steps.slice(0, 2) }, POOL)).toEqual([
      'Step 3: removed (Cedar, “Decide”).',
    ]);
    expect(planEdits(BEFORE, { steps: [...BEFORE.steps, step(0, 'Shorten', [2])] }, POOL)).toEqual([
      'Step 4: added for Alder.',
    ]);
  });

  it('leave out unchanged steps', () => {
    expect(planEdits(BEFORE, BEFORE, POOL)).toEqual([]);
  });
});
