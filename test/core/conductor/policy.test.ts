/** @file The trained policy as a Conductor: plans that may run, for any request. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../../src/core/conductor/limits';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { checkWorkflow, seededRandom } from '../../../src/core/contract';
import { initialParameters, writeCheckpoint } from '../../../src/core/policy';
import { gradedRuns } from '../../fixtures/graded-runs';
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

  it('says of each step what was known of its worker, and which graded runs were nearest', async () => {
    const asked = drawRequest(3);
    const question = 'What is 2 + 2?';
    const history = asked.pool.flatMap(({ id }) => [
      ...gradedRuns(id, 'solve', 3, 4, question),
      ...gradedRuns(id, 'verify', 1, 1, 'Who painted the ceiling of the chapel, and for which pope?'),
    ]);
    const { workflow, choices } = ending(await proposed(conductor, { ...asked, question, history }), 'plan-finished');
    expect(workflow.steps.length).toBeGreaterThan(0);
    expect(choices).toHaveLength(workflow.steps.length);
    for (const [index, { worker, role }] of workflow.steps.entries()) {
      const id = asked.pool[worker]?.id ?? '';
      expect(choices?.[index]).toMatchObject({ by: 'network', basis: 'history' });
      const [nearest] = choices?.[index]?.runs ?? [];
      expect(nearest?.runId).toMatch(new RegExp(`^${id}-`));
      if (role === 'solve') expect(choices?.[index]).toMatchObject({ graded: 4, right: 3, inRole: true });
    }
    const blank = ending(await proposed(conductor, request()), 'plan-finished');
    expect(blank.choices?.map(({ basis, runs }) => [basis, runs.length])).toEqual(
      blank.workflow.steps.map(() => ['order', 0]),
    );
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
