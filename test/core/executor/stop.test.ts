/**
 * @file Tests stopping a run at any moment, by its signal or by leaving the loop over its events.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent, WorkerEvent } from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { step } from '../../fixtures/run-events';
import { randomRun, sceneOf } from './random-scenes';
import { collect, done, fails, fold, known, ofType, outline, play, delta, stage, started, wait } from './scripted';

async function stopAfter(scene: Parameters<typeof stage>[0], stop: (event: RunEvent) => boolean) {
  const staged = stage(scene);
  const events: RunEvent[] = [];
  for await (const event of staged.events) {
    events.push(event);
    if (stop(event)) staged.controller.abort();
  }
  return { ...staged, events, run: fold(events) };
}

describe('stopping', () => {
  it('cancels running and queued steps, and keeps partial output', async () => {
    const { events, run, workers } = await stopAfter(
      {
        plan: [step(0, 'a'), step(1, 'b', [0])],
        work: () => [delta('so far'), wait(100), delta(' and more'), done()],
      },
      ({ type }) => type === 'step-delta',
    );
    expect(outline(events).slice(-3)).toEqual(['step-cancelled 0.0.0', 'step-cancelled 0.1.0', 'run-cancelled']);
    expect(ofType(events, 'step-cancelled')).toMatchObject([
      { output: 'so far', usage: { estimated: true } },
      { output: '', usage: null, cost: 0 },
    ]);
    expect(workers.calls[0]?.aborted).toBe(true);
    expect(run.status).toBe('cancelled');
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('records the usage that the engine counted before a step was cancelled', async () => {
    const counted: WorkerEvent = { type: 'delta', channel: 'content', text: 'w 1 2', usage: { input: 9, output: 5 } };
    const { events } = await stopAfter(
      { plan: [step(0, 'a')], work: () => [counted, wait(100), done()] },
      ({ type }) => type === 'step-delta',
    );
    expect(ofType(events, 'step-cancelled')).toMatchObject([{ output: 'w 1 2', usage: { input: 9, output: 5 } }]);
  });

  it('cancels a plan that is still being written', async () => {
    const { run, conductor } = await stopAfter(
      { plan: () => [started, { type: 'plan-delta', channel: 'content', text: 'I think' }, wait(1000)] },
      ({ type }) => type === 'plan-delta',
    );
    expect(run).toMatchObject({ status: 'cancelled', rounds: [{ plan: { status: 'cancelled', text: 'I think' } }] });
    expect(conductor.aborted).toBe(true);
  });

  it('ends the pause before a retry, and makes no further call', async () => {
    const busy = { code: 'overloaded', message: 'Busy.', retryable: true } as const;
    const { events, workers } = await stopAfter(
      { plan: [step(0, 'a')], work: () => [fails(busy)] },
      ({ type }) => type === 'step-retried',
    );
    expect(outline(events).slice(-2)).toEqual(['step-cancelled 0.0.1', 'run-cancelled']);
    expect(workers.calls).toHaveLength(1);
  });

  it('does not wait for a worker that ignores the abort', async () => {
    const { run } = await stopAfter(
      {
        plan: [step(0, 'a')],
        dependencies: {
          workers: () => ({
            run: async function* () {
              yield delta('x');
              await new Promise(() => undefined);
            },
          }),
        },
      },
      ({ type }) => type === 'step-delta',
    );
    expect(run.status).toBe('cancelled');
  });

  it('makes no call if the signal aborts before the run begins', async () => {
    const { events, workers, conductor } = await play({ plan: [step(0, 'a')], signal: AbortSignal.abort() });
    expect(outline(events)).toEqual(['run-started', 'run-cancelled']);
    expect([workers.calls.length, conductor.requests.length]).toEqual([0, 0]);
  });

  it('sends no call if the signal aborts while the event `step-started` is being stored', async () => {
    const controller = new AbortController();
    const staged = stage({ plan: [step(0, 'a')], signal: controller.signal });
    staged.store.intercept = ({ type }) => {
      if (type === 'step-started') controller.abort();
    };
    const events = await collect(staged.events);
    expect(staged.workers.calls).toHaveLength(0);
    expect(ofType(events, 'step-cancelled')).toMatchObject([{ attempt: 0, usage: null, cost: 0 }]);
    expect(events.at(-1)?.type).toBe('run-cancelled');
  });

  it('at any event leaves no step in progress and no gap in the events', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, fc.nat({ max: 60 }), fc.boolean(), async (random, at, fromJournal) => {
        const controller = new AbortController();
        const staged = stage({ ...sceneOf(random), signal: controller.signal });
        if (fromJournal) {
          staged.store.intercept = ({ seq }) => {
            if (seq === at) controller.abort();
          };
        }
        const events: RunEvent[] = [];
        for await (const event of staged.events) {
          events.push(event);
          if (!fromJournal && event.seq === at) controller.abort();
        }
        const run = fold(events);
        const open = run.rounds.flatMap(({ steps }) => steps.filter(({ status }) => OPEN.has(status)));
        expect(open).toEqual([]);
        expect(run.status).not.toBe('running');
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
        expect(await staged.store.read('run-1')).toHaveLength(events.length);
        if (run.status === 'cancelled') expect(ofType(events, 'run-cancelled')).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });
});

const OPEN = new Set(['queued', 'running']);

describe('leaving the loop over the events early', () => {
  it('stops the run and stores `run-cancelled`', async () => {
    const clock = new FakeClock('auto');
    const staged = stage({ clock, plan: [step(0, 'a')], work: () => [delta('x'), wait(10_000), done()] });
    for await (const event of staged.events) if (event.type === 'step-delta') break;
    expect(staged.workers.calls[0]?.aborted).toBe(true);
    const kept = await staged.store.read('run-1');
    expect(kept.slice(-2).map(({ type }) => type)).toEqual(['step-cancelled', 'run-cancelled']);
    expect(clock.sleeping).toBe(0);
  });

  it('starts nothing if the loop is left before the first event', async () => {
    const staged = stage({ plan: () => [started, known(0, step(0, 'a'))] });
    const iterator = staged.events[Symbol.asyncIterator]();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
    expect(staged.conductor.requests).toHaveLength(0);
  });
});
