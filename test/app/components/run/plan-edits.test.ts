import { describe, expect, it } from 'vitest';
import { planEdits } from '../../../../src/app/components/run/plan-edits';
import { poolWorker, step } from '../../../fixtures/run-events';

const POOL = [0, 1, 2].map((index) => poolWorker(index));
const BEFORE = { steps: [step(0, 'Solve'), step(1, 'Check', [0]), step(2, 'Decide', [0, 1])] };

describe('what was changed of a plan', () => {
  it('names the worker, the subtask and what is seen', () => {
    const after = { steps: [step(1, 'Solve'), step(1, 'Check well', [0]), step(2, 'Decide')] };
    expect(planEdits(BEFORE, after, POOL)).toEqual([
      'Step 1: Birch instead of Alder.',
      'Step 2: another subtask, which was “Check”.',
      'Step 3: sees the question only instead of steps 1 and 2.',
    ]);
  });

  it('names what was added and taken away', () => {
    expect(planEdits(BEFORE, { steps: BEFORE.steps.slice(0, 2) }, POOL)).toEqual([
      'Step 3: taken away (Cedar, “Decide”).',
    ]);
    expect(planEdits(BEFORE, { steps: [...BEFORE.steps, step(0, 'Shorten', [2])] }, POOL)).toEqual([
      'Step 4: added for Alder.',
    ]);
  });

  it('is silent about what stayed', () => {
    expect(planEdits(BEFORE, BEFORE, POOL)).toEqual([]);
  });
});
