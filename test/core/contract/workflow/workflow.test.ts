import { describe, expect, test } from 'vitest';
import { checkWorkflow, type Step, type WorkflowLimits } from '../../../../src/core/contract';

const limits: WorkflowLimits = { poolSize: 3, maxSteps: 5 };
const step = (worker: number, access: number[] = [], subtask = 'Solve it'): Step => ({ worker, subtask, access });

describe('checkWorkflow', () => {
  test('accepts a valid workflow', () => {
    expect(checkWorkflow({ steps: [step(0), step(2), step(1, [0, 1])] }, limits)).toBeNull();
    expect(checkWorkflow({ steps: [] }, { ...limits, allowEmpty: true })).toBeNull();
    expect(checkWorkflow({ steps: [step(0), step(2)] }, { ...limits, recursion: true })).toBeNull();
  });

  test.each([
    ['no-steps', [], 0],
    ['too-many-steps', Array.from({ length: 6 }, () => step(0)), 5],
    ['worker-outside-pool', [step(0), step(3)], 1],
    ['worker-outside-pool', [step(-1)], 0],
    ['worker-outside-pool', [step(0.5)], 0],
    ['empty-subtask', [step(0, [], '  \n')], 0],
    ['access-self', [step(0), step(0, [1])], 1],
    ['access-forward', [step(0, [1]), step(0)], 0],
    ['access-outside', [step(0), step(0, [7])], 1],
    ['access-outside', [step(0), step(0, [-1])], 1],
    ['wrong-type', [step(0), step(0, [0, 0])], 1],
    ['wrong-type', [step(0), step(0), step(0, [1, 0])], 2],
  ] as const)('rejects a workflow with the problem %s', (code, steps, at) => {
    const problem = checkWorkflow({ steps }, limits);
    expect(problem).toMatchObject({ code, at });
    expect(problem?.message).toMatch(/^[A-Z].*\.$/);
  });

  test('counts steps from 1 in messages', () => {
    const message = (access: number[]) => checkWorkflow({ steps: [step(0), step(0, access)] }, limits)?.message;
    expect(message([7])).toBe('Step 2 asks to see step 8, which does not exist.');
    expect(checkWorkflow({ steps: [step(0, [1]), step(0)] }, limits)?.message).toBe(
      'Step 1 asks to see step 2, which comes later.',
    );
  });

  test('accepts the Conductor (last in the pool) with recursion only in the last of several steps', () => {
    const recursion = { ...limits, recursion: true };
    expect(checkWorkflow({ steps: [step(2)] }, recursion)?.code).toBe('conductor-not-last');
    expect(checkWorkflow({ steps: [step(0), step(2), step(1)] }, recursion)?.code).toBe('conductor-not-last');
  });
});
