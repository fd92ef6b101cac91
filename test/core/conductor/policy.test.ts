/** @file The trained policy as a Conductor: plans that may run, for any request. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../../src/core/conductor/limits';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { checkWorkflow, seededRandom } from '../../../src/core/contract';
import { initialParameters, writeCheckpoint } from '../../../src/core/policy';
import { drawRequest } from '../policy/inputs';
import { ending, pool, proposed, request, worker, workflowOf } from './requests';

const conductor = createPolicyConductor(writeCheckpoint(initialParameters({ width: 8 }, seededRandom(1)), 'test'));

describe('the trained policy', () => {
  it('gives a valid workflow for any request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom('binary' as const, 'fine' as const),
        async (seed, recursion, later, maxSteps, access) => {
          const asked = { ...drawRequest(seed, { recursion, later }), maxSteps, access };
          const workflow = await workflowOf(conductor, asked);
          expect(checkWorkflow(workflow, limitsOf(asked))).toBeNull();
          for (const [index, step] of workflow.steps.entries()) {
            if (access === 'binary') expect([0, index]).toContain(step.access.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says each step as final, and who planned', async () => {
    const events = await proposed(conductor, request());
    const { workflow } = ending(events, 'plan-finished');
    const known = events.filter((event) => event.type === 'plan-step-known');
    expect(known.map(({ step }) => step)).toEqual(workflow.steps);
    expect(events[0]).toMatchObject({ type: 'plan-started', conductor: { kind: 'policy', model: 'test' } });
  });

  it('plans the same again, and takes more workers than it was trained with', async () => {
    const asked = request({ pool: pool(12) });
    expect(await workflowOf(conductor, asked)).toEqual(await workflowOf(conductor, asked));
  });

  it('refuses a pool without anyone to ask', async () => {
    for (const nobody of [[], [worker(0, { kind: 'python' })]]) {
      expect(ending(await proposed(conductor, request({ pool: nobody })), 'plan-failed').fault.code).toBe('no-workers');
    }
  });

  it('is not made of anything but a checkpoint', () => {
    expect(() => createPolicyConductor({})).toThrow(RangeError);
  });
});
