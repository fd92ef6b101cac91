/**
 * @file Tests a real engine under the grammar of a skeleton. A skeleton is the list of steps that the policy has planned, without
 * their subtasks. The engine's weights are random, so its subtasks are arbitrary, but the grammar prescribes the steps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_MAX_TOKENS } from '../../../../src/core/conductor/bounds';
import { planByPolicy } from '../../../../src/core/conductor/policy';
import { createSkeletonWordsConductor } from '../../../../src/core/conductor/skeleton-words';
import { withPolicyInfo } from '../../../../src/core/conductor/with-policy-info';
import { seededRandom, type ConductorInfo, type LocalEngine, type PlanRequest } from '../../../../src/core/contract';
import { initialParameters } from '../../../../src/core/policy/parameters';
import { systemClock } from '../../../../src/platform/clock';
import { CONDUCTOR_ENTRY, ending, pool, proposed, request } from '../../../core/conductor/requests';
import { load, manifestOf } from './models';

const MODEL: ConductorInfo = { id: 'local:tiny', label: 'Tiny', kind: 'transformers', model: 'Tiny plain' };
const revision = 'random';
let engine: LocalEngine;

beforeAll(async () => {
  engine = await load(manifestOf('plain')).engine;
}, 120_000);
afterAll(() => engine.dispose());

/**
 * Returns the steps that the policy plans, and a Conductor whose model writes the subtasks of these steps. The policy's weights
 * are also random, so its steps depend on the seed.
 */
function both(seed: number, requested: PlanRequest) {
  const parameters = initialParameters({ width: 8 }, seededRandom(seed));
  const plan = planByPolicy(requested, parameters);
  if ('fault' in plan) throw new Error(plan.fault.message);
  const sampling = { temperature: 1, maxTokens: PLAN_MAX_TOKENS };
  const info = withPolicyInfo('skeleton', MODEL);
  const conductor = createSkeletonWordsConductor({
    info,
    engine,
    clock: systemClock,
    weights: { parameters, revision },
    sampling,
  });
  return { steps: plan.workflow.steps, conductor };
}

describe('a local model’s subtasks for the policy’s steps', () => {
  const cases: [name: string, seed: number, requested: PlanRequest][] = [
    ['one step', 1, request({ maxSteps: 1 })],
    ['several steps that see some of the earlier ones', 2, request({ maxSteps: 3, seed: 2 })],
    ['access to all earlier steps or to none', 1, request({ maxSteps: 3, seed: 3, access: 'binary' })],
    ['another round', 1, request({ maxSteps: 3, seed: 4, pool: [...pool(2), CONDUCTOR_ENTRY], recursion: true })],
  ];
  it.each(cases)(
    'keep the workers, access and roles of the policy’s steps: %s',
    { timeout: 90_000 },
    async (_, seed, requested) => {
      const { steps, conductor } = both(seed, requested);
      const events = await proposed(conductor, requested);
      const { workflow, source, text } = ending(events, 'plan-finished');
      expect([source, events.some(({ type }) => type === 'plan-retried')]).toEqual(['conductor', false]);
      const bare = (all: typeof steps) => all.map(({ worker, access, role }) => ({ worker, access, role }));
      expect(bare(workflow.steps)).toEqual(bare(steps));
      expect(text).toMatch(/^model_id = \[/);
      for (const [index, { subtask }] of workflow.steps.entries()) expect(subtask).not.toBe(steps[index]?.subtask);
      const known = events.flatMap((event) => (event.type === 'plan-step-known' ? [event.step] : []));
      expect(known).toEqual(workflow.steps);
      const order = events.map(({ type }) => type);
      // The last step may become known after the last delta.
      expect(order.lastIndexOf('plan-step-known')).toBeLessThan(order.indexOf('plan-finished'));
    },
  );
});
