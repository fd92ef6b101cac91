import { describe, expect, test } from 'vitest';
import { compose } from '../../src/composition/compose';
import { BY_HAND_INFO } from '../../src/core/conductor/by-hand';
import { partOfPolicy, withPolicyInfo } from '../../src/core/conductor/with-policy-info';
import { FaultError, type PlanEvent, type PlanRequest } from '../../src/core/contract';
import { POLICY_INFO } from '../../src/core/conductor/policy-info';
import { SMALL } from '../app/models/model-services';
import { worker as workerAt } from '../core/conductor/requests';
import { keptPolicy } from '../fixtures/kept-policy';

const services = compose();

const request: PlanRequest = {
  question: 'What is 2 + 2?',
  pool: services.simulated,
  maxSteps: 5,
  effort: 'thorough',
  access: 'fine',
  recursion: false,
  round: 0,
  earlier: [],
  seed: 1,
  candidates: 1,
  choice: 'vote',
  planRetries: 1,
};

async function lastOf(events: AsyncIterable<PlanEvent>): Promise<PlanEvent | undefined> {
  let last: PlanEvent | undefined;
  for await (const event of events) last = event;
  return last;
}

describe('a model as a Conductor', () => {
  const remote = workerAt(0, { kind: 'endpoint', id: 'r', name: 'Remote', origin: 'https://x.example.com' });

  test('is listed alone, and in two combinations with the policy', () => {
    const ids = services.conductors([remote], []).map(({ info }) => info.id);
    expect(ids.filter((id) => id.includes('endpoint:'))).toEqual([
      'endpoint:r',
      'policy+endpoint:r',
      'ranked+endpoint:r',
    ]);
    const [words, ranked] = services.conductors([remote], []).filter(({ info }) => partOfPolicy(info.id));
    expect(words).toMatchObject({ instant: false, info: { kind: 'endpoint', label: 'Policy, words by Remote' } });
    expect(ranked).toMatchObject({ info: { label: 'Remote, ranked by the policy' } });
  });

  test('is not listed in combination with the policy before the model is loaded', () => {
    const manifest = { ...SMALL, label: 'Small' };
    const offered = (phase: 'absent' | 'loading' | 'loaded') =>
      services.conductors([], [{ manifest, phase, device: null }]).filter(({ info }) => partOfPolicy(info.id)).length;
    expect([offered('absent'), offered('loading'), offered('loaded')]).toEqual([0, 0, 2]);
  });

  test.each(['policy+', 'ranked+'])(
    'cannot plan with the policy (“%s”) after it is deleted, and the error names the model',
    async (prefix) => {
      const part = prefix === 'policy+' ? 'skeleton' : 'ranking';
      const info = withPolicyInfo(part, { id: 'local:gone', label: 'Gone', kind: 'webllm', origin: null });
      expect(info.id).toBe(`${prefix}local:gone`);
      const last = await lastOf(services.conductor(info).propose(request, new AbortController().signal));
      expect(last).toMatchObject({
        type: 'plan-failed',
        fault: { message: expect.stringMatching(/^Gone is no longer/) },
      });
    },
  );
});

describe('the Conductors of saved runs', () => {
  test('are created from their stored info and can plan', async () => {
    const instant = services.conductors(services.simulated, []).filter((choice) => choice.instant);
    expect(instant.length).toBeGreaterThan(4);
    for (const { info } of instant) {
      const conductor = services.conductor(info);
      expect(conductor.info).toEqual(info);
      expect((await lastOf(conductor.propose(request, new AbortController().signal)))?.type).toBe('plan-finished');
    }
  });

  test('plan no steps in later rounds if the user wrote the plan of the first round', async () => {
    const workflow = { steps: [{ worker: 0, subtask: 'Add.', access: [] }] };
    const later = { ...request, round: 1, earlier: [{ workflow, outputs: ['4'], answer: '4' }] };
    const last = await lastOf(services.conductor(BY_HAND_INFO).propose(later, new AbortController().signal));
    expect(last).toMatchObject({ type: 'plan-finished', workflow: { steps: [] }, source: 'person' });
  });

  test('cannot be created if their worker was removed, and the error names the Conductor', () => {
    for (const id of ['endpoint:gone', 'policy+endpoint:gone', 'ranked+endpoint:gone']) {
      const missing = { id, label: 'Gone', kind: 'endpoint', origin: 'https://x.example.com' } as const;
      expect(() => services.conductor(missing)).toThrow(FaultError);
      expect(() => services.conductor(missing)).toThrow('The Conductor Gone is no longer available.');
    }
  });

  test('use the policy chosen last if it exists, and otherwise the shipped policy', async () => {
    const { kept, shipped } = await services.training();
    const revision = async () => {
      for await (const event of services.conductor(POLICY_INFO).propose(request, new AbortController().signal)) {
        if (event.type === 'plan-started') return event.conductor.model;
      }
      return null;
    };
    await services.preferences.write({ policy: null });
    const own = (await shipped()).revision;
    expect(await revision()).toBe(own);
    await kept.put(keptPolicy('mine'));
    await services.preferences.write({ policy: 'mine' });
    expect(await revision()).toBe('revision-mine');
    await kept.put(keptPolicy('other'));
    await services.preferences.write({ policy: 'other' });
    expect(await revision()).toBe('revision-other');
    await services.preferences.write({ policy: 'gone' });
    expect(await revision(), 'the chosen policy is missing').toBe(own);
    await services.preferences.write({ policy: null });
    await Promise.all([kept.delete('mine'), kept.delete('other')]);
  });
});
