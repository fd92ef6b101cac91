/** @file Tests how effort (quick, balanced or thorough) changes the plans of each kind of Conductor. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { BY_HAND_INFO } from '../../../src/core/conductor/by-hand';
import { effortFor, followsEffort, maxStepsFor, recursionFor } from '../../../src/core/conductor/effort';
import { createHeuristicConductor, HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { conductorPrompt } from '../../../src/core/conductor/prompt';
import { TEMPLATES } from '../../../src/core/conductor/templates';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import { EFFORTS, type ConductorInfo, type PlanRequest } from '../../../src/core/contract';
import { drawRequest } from '../policy/inputs';
import { CONDUCTOR_ENTRY, pool, request, worker, workflowOf } from './requests';

const model: ConductorInfo = { id: 'endpoint:w1', label: 'A model', kind: 'endpoint', origin: 'https://api.example' };
const [template] = TEMPLATES;
if (!template) throw new Error('There is no template.');
const real = [0, 1, 2].map((index) => worker(index, { kind: 'endpoint' }));

describe('the built-in rules', () => {
  const rules = createHeuristicConductor();
  const rolesAt = async (requested: Partial<PlanRequest>) =>
    (await workflowOf(rules, request({ pool: real, ...requested }))).steps.map(({ role }) => role);

  it('write plans of one, three or five steps, depending on the effort', async () => {
    expect(await rolesAt({ effort: 'quick' })).toEqual(['solve']);
    expect(await rolesAt({ effort: 'balanced' })).toEqual(['solve', 'verify', 'refine']);
    expect(await rolesAt({ effort: 'thorough' })).toEqual(['solve', 'solve', 'verify', 'refine', 'decide']);
  });

  it('give the only step of a quick plan to the best worker', async () => {
    const best = [...real, worker(3, { strengths: { solve: 0.9 } })];
    const { steps } = await workflowOf(rules, request({ pool: best, effort: 'quick' }));
    expect(steps.map((step) => step.worker)).toEqual([3]);
  });

  it('write plans with no more steps than the request allows', async () => {
    expect(await rolesAt({ effort: 'balanced', maxSteps: 1 })).toEqual(['solve']);
  });
});

describe('the trained policy', () => {
  const policy = createPolicyConductor(JSON.parse(readFileSync('models/policy/checkpoint.json', 'utf8')));
  const seeds = Array.from({ length: 60 }, (_, seed) => seed);
  const plansOf = (effort: PlanRequest['effort'], more: Partial<PlanRequest> = {}) =>
    Promise.all(
      seeds.map(async (seed) => {
        const requested = drawRequest(seed);
        const workers = requested.pool.map((each) => ({ ...each, kind: 'endpoint' as const }));
        return (await workflowOf(policy, { ...requested, pool: workers, effort, ...more })).steps;
      }),
    );
  const repairsUnchecked = (plans: Awaited<ReturnType<typeof plansOf>>) =>
    plans.filter((steps) => {
      const repair = steps.findIndex(({ role }) => role === 'refine');
      return repair >= 0 && !steps.slice(0, repair).some(({ role }) => role === 'verify');
    }).length;

  it('writes one step at quick effort and at most three steps at balanced effort', async () => {
    for (const steps of await plansOf('quick')) expect(steps).toHaveLength(1);
    for (const steps of await plansOf('balanced', { maxSteps: 5 })) expect(steps.length).toBeLessThanOrEqual(3);
  });

  it('refines only checked answers at balanced effort, but also unchecked answers at thorough effort', async () => {
    expect(repairsUnchecked(await plansOf('balanced'))).toBe(0);
    expect(repairsUnchecked(await plansOf('thorough'))).toBeGreaterThan(0);
  });
});

describe('the prompt of a language model', () => {
  const textOf = (requested: Partial<PlanRequest>) =>
    conductorPrompt(request({ pool: pool(2), ...requested }))
      .flatMap(({ parts }) => parts)
      .map((part) => ('text' in part ? part.text : ''))
      .join('');

  it('asks for few steps only at quick and balanced effort', () => {
    expect(textOf({ effort: 'balanced' })).toContain(
      'Write at most 5 steps. Use as few steps as the question needs: one for plain recall.\n\nQuestion:',
    );
    expect(textOf({ effort: 'quick', maxSteps: 2 })).toContain('Write at most 2 steps. Use as few steps');
    expect(textOf({ effort: 'thorough' })).toContain('Write at most 5 steps.\n\nQuestion:');
  });

  it('leaves out the advice on the number of steps when the steps are given', () => {
    const skeleton = [{ worker: 0, subtask: 'Solve it.', access: [] }];
    const parts = conductorPrompt(request({ effort: 'balanced' }), { skeleton }).flatMap((message) => message.parts);
    expect(JSON.stringify(parts)).not.toContain('as few steps');
  });
});

describe('the Conductors that effort applies to', () => {
  test('are those that choose the number of steps', () => {
    const following = [POLICY_INFO, HEURISTIC_INFO, model, withPolicyInfo('skeleton', model)];
    expect(following.map(followsEffort)).toEqual([true, true, true, true]);
    expect([template.info, BY_HAND_INFO].map(followsEffort)).toEqual([false, false]);
  });

  test('do not include templates and plans written by hand, because their steps are fixed', () => {
    for (const effort of EFFORTS) {
      expect(maxStepsFor(template.info, effort, real)).toBe(16);
      expect(effortFor(BY_HAND_INFO, effort)).toBe('thorough');
    }
    expect(effortFor(model, 'quick')).toBe('quick');
  });

  test('have the policy’s step limit if the policy chooses the steps, and the model’s if the policy ranks plans', () => {
    expect(maxStepsFor(withPolicyInfo('skeleton', model), 'balanced', real)).toBe(3);
    expect(maxStepsFor(withPolicyInfo('ranking', model), 'balanced', real)).toBe(5);
  });
});

describe('a second round', () => {
  test('is allowed at thorough effort, even with recursion off, if the Conductor can request one', () => {
    expect([POLICY_INFO, model].map((info) => recursionFor(info, 'thorough', false))).toEqual([true, true]);
    const others = [HEURISTIC_INFO, template.info, BY_HAND_INFO];
    expect(others.map((info) => recursionFor(info, 'thorough', false))).toEqual([false, false, false]);
  });

  test('is allowed at quick or balanced effort only if recursion is on', () => {
    expect(recursionFor(model, 'balanced', false)).toBe(false);
    expect(recursionFor(model, 'balanced', true)).toBe(true);
    expect(recursionFor(model, 'quick', true)).toBe(true);
  });

  test('keeps the policy’s limit of five steps for simulated workers, although the pool also has the Conductor', () => {
    const workers = [...pool(2).map((each) => ({ ...each, kind: 'simulated' as const })), CONDUCTOR_ENTRY];
    expect(maxStepsFor(POLICY_INFO, 'balanced', workers)).toBe(5);
  });
});
