import { describe, expect, it } from 'vitest';
import {
  fault,
  type Conductor,
  type ConductorInfo,
  type Method,
  type PlanEvent,
  type PlanProblem,
} from '../../../../src/core/contract';
import { conductorMethod } from '../../../../src/core/evaluation/batches/methods';
import { step } from '../../../fixtures/run-events';
import { methodSettings } from '../../../fixtures/evaluation/practice';
import { exactTasks, openPage, paidMethods, World } from './world';

const MODEL: ConductorInfo = { id: 'endpoint:elm', label: 'Elm', kind: 'endpoint', origin: null };
const POLICY: ConductorInfo = { id: 'policy', label: 'Policy', kind: 'policy', origin: null };
const SKELETON: ConductorInfo = { ...MODEL, id: 'policy+endpoint:elm' };
const bill = { usage: null, cost: null };
const problem: PlanProblem = { code: 'not-found', message: 'There is no list.', at: 0 };
const outage = fault('server-error', 'The server failed.', { retryable: true });

const plan: Extract<PlanEvent, { type: 'plan-finished' }> = {
  type: 'plan-finished',
  workflow: { steps: [step(0, 'Solve')] },
  thought: '',
  text: '',
  source: 'conductor',
  finishReason: 'stop',
  ...bill,
};

/**
 * A Conductor that emits `plan-started` and then `events`. `plan-started` has no messages if the Conductor is
 * the policy.
 */
function scripted(info: ConductorInfo, ...events: readonly PlanEvent[]): Conductor {
  return {
    info,
    async *propose() {
      const messages = info.kind === 'policy' ? [] : [{ role: 'user' as const, parts: [] }];
      yield { type: 'plan-started', conductor: info, messages };
      yield* events;
    },
  };
}

function fallingBack(lost: { problem: PlanProblem | null; fault: ReturnType<typeof fault> | null }): Conductor {
  const retried: PlanEvent = { type: 'plan-retried', ...lost, text: 'Hm', next: 'fallback', ...bill };
  return scripted(MODEL, retried, { ...plan, source: 'fallback' });
}

function methodOf(info: ConductorInfo): Method {
  const [first] = paidMethods();
  return conductorMethod(info, methodSettings({ pool: first?.settings.pool ?? [] }));
}

async function outcomesOf(conductor: Conductor) {
  const world = new World(exactTasks(1));
  await world.add({ methods: [methodOf(MODEL)] });
  await (
    await openPage(world, { conductors: () => conductor }).runner.start('batch')
  ).done;
  return { calls: world.calls, outcomes: await world.batches.outcomes('batch') };
}

describe('a batch run in which the Conductor falls back to a built-in Conductor', () => {
  it('is graded as wrong, without calling a worker, if the Conductor wrote no valid plan', async () => {
    const { calls, outcomes } = await outcomesOf(fallingBack({ problem, fault: null }));
    expect(outcomes).toMatchObject([{ status: 'graded', verdicts: { strict: { correct: false } }, format: false }]);
    expect(calls).toEqual([]);
  });

  it('fails without a verdict, and without calling a worker, if the Conductor’s server failed', async () => {
    const { calls, outcomes } = await outcomesOf(fallingBack({ problem: null, fault: outage }));
    expect(outcomes).toMatchObject([{ status: 'failed', verdicts: {}, fault: { code: 'server-error' } }]);
    expect(calls).toEqual([]);
  });

  it('fails without a verdict if the first plan was invalid and the server failed at the retry', async () => {
    const conductor = scripted(
      MODEL,
      { type: 'plan-retried', problem, fault: null, text: 'Hm', next: 'stricter', ...bill },
      { type: 'plan-retried', problem: null, fault: outage, text: '', next: 'fallback', ...bill },
      { ...plan, source: 'fallback' },
    );
    expect((await outcomesOf(conductor)).outcomes).toMatchObject([{ status: 'failed', verdicts: {} }]);
  });
});

/** A Conductor that plans with the given revision of the policy. */
function byPolicy(info: ConductorInfo, revision: string): Conductor {
  if (info.kind === 'policy') return scripted({ ...info, model: revision }, plan);
  return {
    info,
    async *propose() {
      yield { type: 'plan-started', conductor: info, messages: [], policy: { part: 'skeleton', revision } };
      yield plan;
    },
  };
}

describe.each([POLICY, SKELETON])('a batch method whose Conductor is $id', (info) => {
  it('does not reuse runs that were planned with other weights', async () => {
    const world = new World(exactTasks(2));
    const page = openPage(world, { conductors: (wanted) => byPolicy(wanted, world.policyRevision) });
    for (const revision of ['first', 'second']) {
      world.policyRevision = revision;
      const { plan: planned } = await world.add({ methods: [methodOf(info)] }, revision);
      await world.batches.put({ ...(await world.add({}, revision)), plan: await page.runner.prepare(planned) });
      expect(await (await page.runner.start(revision)).done).toMatchObject({ status: 'finished', graded: 2 });
    }
    expect(world.calls).toHaveLength(4);
    const stored = await world.batches.get('second');
    expect(stored?.plan.methods).toMatchObject([{ weights: 'second' }]);
  });

  it('starts a batch only with the weights that the batch was prepared with', async () => {
    const world = new World(exactTasks(2));
    const page = openPage(world, { conductors: (wanted) => byPolicy(wanted, world.policyRevision) });
    const batch = await world.add({ methods: [methodOf(info)] });
    await world.batches.put({ ...batch, plan: await page.runner.prepare(batch.plan) });
    world.policyRevision = 'second';
    await expect(page.runner.start('batch')).rejects.toMatchObject({ fault: { code: 'worker-missing' } });
    world.policyRevision = 'first';
    expect(await (await page.runner.start('batch')).done).toMatchObject({ status: 'finished', graded: 2 });
  });

  it('pauses its batch if the user switches to other weights', async () => {
    const world = new World(exactTasks(4));
    const page = openPage(world, { conductors: (wanted) => byPolicy(wanted, world.policyRevision) });
    const batch = await world.add({ methods: [methodOf(info)], concurrency: 1 });
    await world.batches.put({ ...batch, plan: await page.runner.prepare(batch.plan) });
    const live = await page.runner.start('batch');
    live.subscribe(({ done }) => done === 2 && (world.policyRevision = 'second'));
    expect(await live.done).toMatchObject({ status: 'paused', done: 2, failed: 0, fault: { code: 'worker-missing' } });
  });

  it('continues a batch without recorded weights only with the weights that its runs used', async () => {
    const world = new World(exactTasks(4));
    const page = openPage(world, { conductors: (wanted) => byPolicy(wanted, world.policyRevision) });
    await world.add({ methods: [methodOf(info)], concurrency: 1 });
    const live = await page.runner.start('batch');
    live.subscribe(({ done }) => done === 2 && live.pause());
    expect(await live.done).toMatchObject({ status: 'paused', done: 2 });

    world.policyRevision = 'second';
    await expect(page.runner.start('batch')).rejects.toMatchObject({ fault: { code: 'worker-missing' } });
    world.policyRevision = 'first';
    expect(await (await page.runner.start('batch')).done).toMatchObject({ status: 'finished', graded: 4 });
    expect(world.calls).toHaveLength(4);
  });

  it('starts a new batch without recorded weights, and continues it only with the weights of its start', async () => {
    const world = new World(exactTasks(2));
    world.policyRevision = 'second';
    const page = openPage(world, { conductors: (wanted) => byPolicy(wanted, world.policyRevision) });
    await world.add({ methods: [methodOf(info)], concurrency: 1 });
    const live = await page.runner.start('batch');
    live.subscribe(({ done }) => done === 1 && (world.policyRevision = 'third'));
    expect(await live.done).toMatchObject({ status: 'paused', done: 1, fault: { code: 'worker-missing' } });
    world.policyRevision = 'second';
    expect(await (await page.runner.start('batch')).done).toMatchObject({ status: 'finished', graded: 2 });
  });
});
