/** @file Tests a policy with random weights as the Conductor. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../../src/core/conductor/limits';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { SUBTASK } from '../../../src/core/conductor/wording';
import {
  checkWorkflow,
  seededRandom,
  type PlanEvent,
  type PlanRequest,
  type Workflow,
} from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { logProbabilityOf } from '../../../src/core/policy/network';
import { MOVES } from '../../../src/core/policy/moves';
import { policyInput } from '../../../src/core/policy/features';
import { readCheckpoint, writeCheckpoint } from '../../../src/core/policy/checkpoint';
import { gradedRuns } from '../../fixtures/graded-runs';
import { drawRequest } from '../policy/inputs';
import { ending, pool, proposed, request, worker, workflowOf } from './requests';

const checkpoint = writeCheckpoint(initialParameters({ width: 8 }, seededRandom(1)), 'test');
const conductor = createPolicyConductor(checkpoint);
const drawn = (events: readonly PlanEvent[]) => events.filter((event) => event.type === 'plan-candidate');

/** The log-probability of a workflow under the policy, computed from the workflow and the request alone. */
function reckoned(requested: PlanRequest, { steps }: Workflow): number {
  const input = policyInput(requested);
  const skeleton = steps.map(({ worker, subtask, access }) => ({
    row: input.rows.indexOf(worker),
    move: MOVES.find((move) => SUBTASK[move] === subtask) ?? null,
    access,
  }));
  const read = readCheckpoint(checkpoint);
  if (!read) throw new Error('It is no checkpoint.');
  return logProbabilityOf(read.parameters, input, skeleton);
}

describe('the policy as a Conductor', () => {
  it('returns a valid workflow for any request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom('binary' as const, 'fine' as const),
        async (seed, recursion, later, maxSteps, access) => {
          const requested = { ...drawRequest(seed, { recursion, later }), maxSteps, access };
          const workflow = await workflowOf(conductor, requested);
          expect(checkWorkflow(workflow, limitsOf(requested))).toBeNull();
          for (const [index, step] of workflow.steps.entries()) {
            if (access === 'binary') expect([0, index]).toContain(step.access.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reports each step of its plan in a separate event, and names the policy as the Conductor', async () => {
    const events = await proposed(conductor, request());
    const { workflow } = ending(events, 'plan-finished');
    const known = events.filter((event) => event.type === 'plan-step-known');
    expect(known.map(({ step }) => step)).toEqual(workflow.steps);
    expect(events.at(-1)?.type).toBe('plan-finished');
    expect(events[0]).toMatchObject({ type: 'plan-started', conductor: { kind: 'policy', model: 'test' } });
  });

  it('returns the same workflow twice for one request with twelve workers', async () => {
    const requested = request({ pool: pool(12) });
    expect(await workflowOf(conductor, requested)).toEqual(await workflowOf(conductor, requested));
  });

  it('lists the graded runs of each step’s worker, or none without a history', async () => {
    const requested = drawRequest(3);
    const question = 'What is 2 + 2?';
    const history = requested.pool.flatMap(({ id }) => [
      ...gradedRuns(id, 'solve', 3, 4, question),
      ...gradedRuns(id, 'verify', 1, 1, 'Who painted the ceiling of the chapel, and for which pope?'),
    ]);
    const { workflow, choices } = ending(
      await proposed(conductor, { ...requested, question, history }),
      'plan-finished',
    );
    expect(workflow.steps.length).toBeGreaterThan(0);
    expect(choices).toHaveLength(workflow.steps.length);
    for (const [index, { worker, role }] of workflow.steps.entries()) {
      const id = requested.pool[worker]?.id ?? '';
      expect(choices?.[index]).toMatchObject({ by: 'network', basis: 'history' });
      const [nearest] = choices?.[index]?.runs ?? [];
      expect(nearest?.runId).toMatch(new RegExp(role === 'solve' ? `^${id}-solve-` : `^${id}-`));
      if (role === 'solve') expect(choices?.[index]).toMatchObject({ graded: 4, right: 3, inRole: true });
    }
    const blank = ending(await proposed(conductor, request()), 'plan-finished');
    expect(blank.choices?.map(({ basis, runs }) => [basis, runs.length])).toEqual(
      blank.workflow.steps.map(() => ['order', 0]),
    );
  });

  it('reports the log-probability of its plan if binary access did not change the plan', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const requested = drawRequest(seed, { recursion: seed % 3 === 1, later: seed % 3 === 2 });
      const { workflow, logProbability = NaN } = ending(await proposed(conductor, requested), 'plan-finished');
      expect(logProbability).toBeCloseTo(reckoned(requested, workflow), 5);
      expect(logProbability).toBeLessThanOrEqual(0);
      const binary: PlanRequest = { ...requested, access: 'binary' };
      const widened = ending(await proposed(conductor, binary), 'plan-finished');
      const isSame = JSON.stringify(widened.workflow) === JSON.stringify(workflow);
      expect(widened.logProbability).toBe(isSame ? logProbability : undefined);
    }
  });

  it('samples as many plans as requested, and repeats them for the same seed', async () => {
    const requested: PlanRequest = { ...drawRequest(5), candidates: 8 };
    const events = await proposed(conductor, requested);
    const candidates = drawn(events);
    expect(candidates.map(({ candidate }) => candidate)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const { workflow, choices, logProbability = NaN } of candidates) {
      if (!workflow) throw new Error('The candidate has no workflow.');
      expect(choices?.map(({ by }) => by)).toEqual(workflow.steps.map(() => 'network'));
      expect(checkWorkflow(workflow, limitsOf(requested))).toBeNull();
      expect(logProbability).toBeCloseTo(reckoned(requested, workflow), 5);
    }
    expect(new Set(candidates.map(({ workflow }) => JSON.stringify(workflow))).size).toBeGreaterThan(4);
    const chosen = events.find((event) => event.type === 'plan-chosen');
    const finished = ending(events, 'plan-finished');
    expect(chosen?.by).toBe('vote');
    expect(finished.workflow).toEqual(candidates[chosen?.candidate ?? -1]?.workflow);
    expect(finished.logProbability).toBe(candidates[chosen?.candidate ?? -1]?.logProbability);
    expect(finished.choices).toEqual(candidates[chosen?.candidate ?? -1]?.choices);
    expect(finished.choices).toHaveLength(finished.workflow.steps.length);
    expect(await proposed(conductor, requested)).toEqual(events);
    expect(drawn(await proposed(conductor, { ...requested, seed: requested.seed + 1 }))).not.toEqual(candidates);
  });

  it('chooses no plan if the user wants to choose', async () => {
    const events = await proposed(conductor, { ...drawRequest(5), candidates: 3, choice: 'person' });
    expect(events.map(({ type }) => type)).toEqual(['plan-started', ...Array<string>(3).fill('plan-candidate')]);
  });

  it('fails if the pool is empty or contains only Python', async () => {
    for (const readers of [[], [worker(0, { kind: 'python' })]]) {
      for (const candidates of [1, 3]) {
        const events = await proposed(conductor, request({ pool: readers, candidates }));
        expect(ending(events, 'plan-failed').fault.code).toBe('no-workers');
      }
    }
  });

  it('cannot be created from data that is not a checkpoint', () => {
    expect(() => createPolicyConductor({})).toThrow(RangeError);
  });
});
