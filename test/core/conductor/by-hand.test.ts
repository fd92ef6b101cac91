import { describe, expect, it } from 'vitest';
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import type { Workflow } from '../../../src/core/contract';
import { CONDUCTOR_ENTRY, ending, pool, proposed, request, workflowOf } from './requests';

const workflow: Workflow = {
  steps: [
    { worker: 2, subtask: 'Solve.', access: [] },
    { worker: 0, subtask: 'Check.', access: [0] },
  ],
};

describe('a workflow written by hand', () => {
  it('is proposed unchanged, as the user’s plan', async () => {
    const events = await proposed(createByHandConductor(workflow), request());
    expect(ending(events, 'plan-finished')).toMatchObject({ workflow, source: 'person' });
    expect(events.filter((event) => event.type === 'plan-step-known')).toHaveLength(2);
  });

  it('fails when a step is invalid, with a message that names the step and what to do', async () => {
    const events = await proposed(createByHandConductor(workflow), request({ pool: pool(2) }));
    const { fault, problem } = ending(events, 'plan-failed');
    expect(problem).toMatchObject({ code: 'worker-outside-pool', at: 0 });
    expect(fault.code).toBe('plan-invalid');
    expect(fault.message).toBe('Step 1 names worker 2, but the pool has 0 to 1. Edit the plan and run it again.');
    expect(events.map((event) => event.type)).toEqual(['plan-started', 'plan-failed']);
  });

  it('fails when it has more steps than the request allows', async () => {
    const events = await proposed(createByHandConductor(workflow), request({ maxSteps: 1 }));
    expect(ending(events, 'plan-failed').problem?.code).toBe('too-many-steps');
  });

  it('may have the Conductor as its last worker if recursion is on. The next round then has no steps', async () => {
    const recursing: Workflow = { steps: [...workflow.steps, { worker: 3, subtask: 'Look again.', access: [0, 1] }] };
    const requested = request({ pool: [...pool(3), CONDUCTOR_ENTRY] });
    const conductor = createByHandConductor(recursing);
    expect(ending(await proposed(conductor, requested), 'plan-failed').problem?.code).toBe('worker-outside-pool');
    expect(await workflowOf(conductor, { ...requested, recursion: true })).toEqual(recursing);
    expect(await workflowOf(conductor, { ...requested, recursion: true, round: 1 })).toEqual({ steps: [] });
  });
});
