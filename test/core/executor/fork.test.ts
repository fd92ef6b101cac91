/** @file Tests which steps a fork copies and which it calls. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fault, forkedSteps, workerOf, type PlanEvent, type Run, type Step } from '../../../src/core/contract';
import type { ForkPrior } from '../../../src/core/executor/request';
import { poolWorker, step } from '../../fixtures/run-events';
import {
  conductorWorker,
  done,
  fails,
  finished,
  ofType,
  outline,
  play,
  delta,
  started,
  subtaskOf,
  type Scene,
} from './scripted';

const plan = [step(0, 'a'), step(1, 'b', [0]), step(2, 'c', [1])];
const fork = (run: Run, at: number, more: Partial<ForkPrior> = {}) =>
  ({ kind: 'fork', run, round: 0, step: at, ...more }) as const;
const NO_REASON = { basis: 'order' as const, graded: 0, right: 0, inRole: false, runs: [] };
const replanned = (text: string) => () => [delta(text), done()];

describe('a fork', () => {
  it('reuses the steps before the forked step and calls the other steps', async () => {
    const { run: parent } = await play({ plan });
    const { run, events, workers, conductor } = await play({
      plan: [],
      prior: fork(parent, 2),
      work: replanned('new'),
      runId: 'run-2',
    });
    expect(outline(events)).toEqual([
      'run-started',
      'round-started',
      'plan-started',
      'plan-finished',
      'step-reused 0.0.0',
      'step-reused 0.1.0',
      'step-queued 0.2.0',
      'step-started 0.2.0',
      'step-delta 0.2.0',
      'step-finished 0.2.0',
      'round-finished',
      'run-finished',
    ]);
    expect(run).toMatchObject({ id: 'run-2', answer: 'new', parent: { runId: 'run-1', round: 0, step: 2 } });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['reused', 'reused', 'finished']);
    expect(run.rounds[0]?.plan).toMatchObject({ source: 'conductor', usage: null, messages: [] });
    expect(workers.calls[0]?.messages[0]?.content).toContain('b done');
    expect(conductor.requests).toHaveLength(0);
    expect(run.spent.calls).toBe(1);
  });

  it('calls edited steps and the steps that depend on them, even before the forked step', async () => {
    const { run: parent } = await play({ plan: [...plan.slice(0, 2), step(2, 'apart'), step(2, 'd', [1, 2])] });
    const steps = [step(0, 'a, otherwise'), step(1, 'b', [0]), step(2, 'apart'), step(2, 'd', [1, 2])];
    const { run, workers } = await play({ plan: [], prior: fork(parent, 3, { workflow: { steps } }) });
    expect(workers.calls.map(subtaskOf)).toEqual(['a, otherwise', 'b', 'd']);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'finished', 'reused', 'finished']);
    expect(run.rounds[0]?.plan).toMatchObject({ source: 'person', workflow: { steps } });
  });

  it('reuses steps before and after the forked step if they do not depend on it', async () => {
    const apart = [step(0, 'a'), step(1, 'b'), step(2, 'c', [0]), step(0, 'd', [1])];
    const { run: parent } = await play({ plan: apart });
    const { run, workers, events } = await play({
      plan: [],
      prior: fork(parent, 0),
      work: replanned('new'),
      runId: 'run-2',
    });
    expect(workers.calls.map(subtaskOf)).toEqual(['a', 'c']);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'reused', 'finished', 'reused']);
    expect(run).toMatchObject({ status: 'finished', answer: 'd done', spent: { calls: 2 } });
    expect(workers.calls[1]?.messages[0]?.content).toContain('new');
    expect(ofType(events, 'step-reused').map((event) => event.step)).toEqual([1, 3]);
  });

  it('reuses the outputs of steps that moved to another position', async () => {
    const { run: parent } = await play({ plan });
    const steps = [step(2, 'new'), step(0, 'a'), step(1, 'b', [1]), step(2, 'e', [0, 2])];
    const prior = fork(parent, 0, { workflow: { steps }, again: [], origins: [null, 0, 1, null] });
    const { run, workers } = await play({ plan: [], prior, runId: 'run-2' });
    expect(workers.calls.map(subtaskOf)).toEqual(['new', 'e']);
    expect(run.rounds[0]?.steps.map(({ output }) => output)).toEqual(['new done', 'a done', 'b done', 'e done']);
    expect(workers.calls[1]?.messages[0]?.content).toContain('b done');
  });

  it('requests a new plan from the Conductor if the user wants the round planned again', async () => {
    const { run: parent } = await play({ plan });
    const prior = fork(parent, 0, { replan: true });
    const { run, conductor, workers } = await play({ plan: [step(1, 'other')], prior, runId: 'run-2' });
    expect(conductor.requests).toHaveLength(1);
    expect(workers.calls.map(subtaskOf)).toEqual(['other']);
    expect(run).toMatchObject({ answer: 'other done', parent: { runId: 'run-1', round: 0, step: 0 } });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished']);
  });

  it('calls exactly the steps that `forkedSteps` marks as called, for any workflow', async () => {
    const anySteps = fc.array(fc.record({ worker: fc.nat(2), sees: fc.array(fc.boolean(), { maxLength: 5 }) }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(anySteps, fc.uniqueArray(fc.nat(4), { minLength: 1 }), async (drawn, selected) => {
        const steps = drawn.map(({ worker, sees }, index) =>
          step(
            worker,
            `subtask ${index}`,
            [...Array(index).keys()].filter((seen) => sees[seen]),
          ),
        );
        const again = selected.map((index) => index % steps.length);
        const { run: parent } = await play({ plan: steps });
        const prior = fork(parent, Math.min(...again), { again });
        const { run, workers } = await play({ plan: [], prior, work: replanned('new'), runId: 'run-2' });
        const expected = forkedSteps(parent, prior, { steps }, parent.pool).map(({ kind }) => kind);
        const called = new Set(workers.calls.map(subtaskOf));
        expect(steps.map(({ subtask }) => (called.has(subtask) ? 'called' : 'reused'))).toEqual(expected);
        expect(run.status).toBe('finished');
        expect(run.spent.calls).toBe(called.size);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the `policy` field of a plan unless the user edited the plan', async () => {
    const policy = { part: 'skeleton', revision: 'p1', logProbability: -2 } as const;
    const { run: parent } = await play({ plan: () => [{ ...started, policy }, finished(plan)] });
    expect(parent.rounds[0]?.plan?.policy).toEqual(policy);
    const { run: kept } = await play({ plan: [], prior: fork(parent, 1), runId: 'run-2' });
    expect(kept.rounds[0]?.plan).toMatchObject({ policy, logProbability: null });
    const { run: edited } = await play({ plan: [], prior: fork(parent, 1, { workflow: { steps: plan.slice(0, 2) } }) });
    expect(edited.rounds[0]?.plan?.policy).toBeNull();
  });

  it('records the worker that wrote a reused output, if the worker’s setup has changed since', async () => {
    const { run: parent } = await play({ plan });
    const pool = parent.pool.map((worker, index) => (index === 0 ? { ...worker, model: 'another' } : worker));
    const { run, events } = await play({
      plan: [],
      prior: fork(parent, 2),
      start: { pool },
      work: replanned('new'),
      runId: 'run-2',
    });
    const writers = ofType(events, 'step-reused').map(({ worker }) => worker?.model);
    expect(writers).toEqual([parent.pool[0]?.model, undefined]);
    expect(run.rounds[0]?.steps.map((each) => workerOf(run, each)?.model)).toEqual(
      parent.pool.slice(0, 3).map(({ model }) => model),
    );
  });

  it('copies the reasons for the chosen workers only if plan and pool are unchanged', async () => {
    const choices = plan.map(() => ({ ...NO_REASON, expected: 0.8 }));
    const planned = (steps: readonly Step[]) => [started, { ...finished(steps), choices } as PlanEvent];
    const { run: parent } = await play({ plan: () => planned(plan) });
    expect(parent.rounds[0]?.plan?.choices).toEqual(choices);
    const forked = async (more: Partial<Scene> & Pick<Scene, 'prior'>) =>
      (await play({ plan: [], runId: 'run-2', ...more })).run.rounds[0]?.plan?.choices;
    expect(await forked({ prior: fork(parent, 1) })).toEqual(choices);
    expect(await forked({ prior: fork(parent, 1, { workflow: { steps: plan.slice(0, 2) } }) })).toBeNull();
    const pool = [poolWorker(3), poolWorker(1), poolWorker(2)];
    expect(await forked({ prior: fork(parent, 1), start: { pool } })).toBeNull();
  });

  it('does not reuse the output of a step that now has another worker', async () => {
    const { run: parent } = await play({ plan });
    const pool = [poolWorker(3), poolWorker(1), poolWorker(2)];
    const { workers } = await play({ plan: [], prior: fork(parent, 2), start: { pool } });
    expect(workers.calls.map(subtaskOf)).toEqual(['a', 'b', 'c']);
  });

  it('fails if the edited workflow has a worker that does not exist', async () => {
    const { run: parent } = await play({ plan });
    const { run } = await play({ plan: [], prior: fork(parent, 0, { workflow: { steps: [step(7, 'x')] } }) });
    expect(run.fault?.code).toBe('plan-invalid');
  });

  it('copies earlier rounds, and asks the Conductor for the plans of later rounds', async () => {
    const start = {
      pool: [poolWorker(0), poolWorker(1), conductorWorker(2)],
      recursion: true,
      caps: { rounds: 3, calls: 20, tokens: null, usd: null },
    };
    const again = step(2, 'again');
    const { run: parent } = await play({
      plan: ({ round }) => [
        started,
        finished(round === 0 ? [step(0, 'bad'), step(1, 'after bad', [0]), step(1, 'one'), again] : [step(0, 'two')]),
      ],
      start,
      work: (call) =>
        subtaskOf(call) === 'bad' ? [fails(fault('forbidden', 'No.'))] : [delta(subtaskOf(call)), done()],
    });
    const { run, workers, conductor } = await play({
      plan: ({ round }) => [started, finished([step(1, `round ${round}`)])],
      start,
      prior: fork(parent, 0, { round: 1, workflow: { steps: [step(1, 'two, otherwise'), again] } }),
      work: (call) => [delta(`new ${subtaskOf(call)}`), done()],
    });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['recursed', 'recursed', 'answered']);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['failed', 'skipped', 'reused', 'recursed']);
    expect(workers.calls.map(subtaskOf)).toEqual(['two, otherwise', 'round 2']);
    const next = await play({
      plan: [],
      start,
      prior: fork(run, 0, { round: 1, workflow: { steps: [step(1, 'x')] } }),
    });
    expect(next.run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['failed', 'skipped', 'reused', 'recursed']);
    expect(next.run.rounds[0]?.steps[0]?.fault?.message).toBe('No.');
    expect(conductor.requests).toMatchObject([
      { round: 2, earlier: [{ answer: 'one' }, { answer: 'new two, otherwise' }] },
    ]);
  });

  it('requests a plan from the Conductor if the forked run has no plan', async () => {
    const { run: parent } = await play({ plan: () => [started] });
    const { run } = await play({ plan: [step(0, 'x')], prior: fork(parent, 0) });
    expect(run).toMatchObject({ status: 'finished', answer: 'x done' });
  });

  it('runs the user’s plan without calling the Conductor if planning failed in the forked run', async () => {
    const { run: parent } = await play({
      plan: () => {
        throw new TypeError('broken');
      },
    });
    const { run, conductor } = await play({
      plan: [],
      prior: fork(parent, 0, { workflow: { steps: [step(0, 'x')] } }),
    });
    expect(conductor.requests).toHaveLength(0);
    expect(run).toMatchObject({ status: 'finished', answer: 'x done', rounds: [{ plan: { source: 'person' } }] });
  });

  it('can be resumed after it failed', async () => {
    const { run: parent } = await play({ plan });
    const broken = () => [fails(fault('forbidden', 'No.'))];
    const { run: failed, store } = await play({ plan: [], prior: fork(parent, 1), work: broken, runId: 'run-2' });
    const { run, events, workers } = await play({
      plan: [],
      prior: { kind: 'resume', run: failed },
      runId: 'run-2',
      store,
    });
    expect(ofType(events, 'step-reused')).toHaveLength(0);
    expect(workers.calls.map(subtaskOf)).toEqual(['b', 'c']);
    expect(run).toMatchObject({ status: 'finished', answer: 'c done' });
  });
});
