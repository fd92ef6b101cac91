/**
 * @file Tests which events must be stored before a run continues, and what the run does if an event cannot be stored.
 */
import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  type Conductor,
  type ConductorInfo,
  type PlanEvent,
  type StoredEvent,
} from '../../../src/core/contract';
import { FakeClock, idle } from '../../fixtures/fake-clock';
import { MemoryStore } from '../../fixtures/memory-store';
import { step } from '../../fixtures/run-events';
import { collect, done, fails, finished, fold, known, ofType, play, delta, stage, started, wait } from './scripted';

const full = new FaultError(fault('storage-full', 'There is no room left.'));
const plan = [step(0, 'a'), step(1, 'b', [0])];

function refuse(type: StoredEvent['type'], nth = 1): MemoryStore {
  const store = new MemoryStore();
  let seen = 0;
  store.intercept = (event) => {
    if (event.type === type && ++seen === nth) throw full;
  };
  return store;
}

describe('the journal (the stored events of a run)', () => {
  it('contains a step’s start before its call is sent, and a step’s end before dependent steps start', async () => {
    const store = new MemoryStore();
    let release: () => void = () => undefined;
    const held: string[] = [];
    store.intercept = ({ type }) => {
      if (type !== 'step-started' && type !== 'step-finished') return;
      held.push(type);
      return new Promise((resolve) => (release = resolve));
    };
    const { workers, events } = stage({ plan, store, work: () => [delta('x'), done()] });
    const all = collect(events);
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await idle();
      counts.push(workers.calls.length);
      release();
    }
    expect((await all).at(-1)?.type).toBe('run-finished');
    expect(held).toEqual(['step-started', 'step-finished', 'step-started', 'step-finished']);
    expect(counts).toEqual([0, 1, 1, 2]);
  });

  it('contains the request to a remote Conductor before the request is sent', async () => {
    const info: ConductorInfo = { id: 'endpoint:x', label: 'X', kind: 'endpoint', origin: 'https://x.example.com' };
    let requested = 0;
    const conductor: Conductor = {
      info,
      async *propose() {
        const messages = [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }];
        yield { type: 'plan-started', conductor: info, messages, sampling: { temperature: 0, maxTokens: 10 } };
        requested += 1;
        yield finished(plan);
      },
    };
    for (const type of ['run-started', 'plan-started'] as const) {
      const { run, workers } = await play({ plan: [], store: refuse(type), dependencies: { conductor } });
      expect(run.fault).toEqual(full.fault);
      expect([requested, workers.calls.length]).toEqual([0, 0]);
    }
    expect((await play({ plan: [], dependencies: { conductor } })).run.status).toBe('finished');
    expect(requested).toBe(1);
  });

  it.each(['plan-candidate', 'plan-retried'] as const)(
    'contains the `%s` event of a remote Conductor before the next request is sent',
    async (type) => {
      const info: ConductorInfo = { id: 'endpoint:x', label: 'X', kind: 'endpoint', origin: 'https://x.example.com' };
      const answer: PlanEvent =
        type === 'plan-retried'
          ? { type, problem: null, fault: null, text: 'lost', usage: null, cost: 0.5, next: 'stricter' }
          : { type, candidate: 0, workflow: { steps: plan }, problem: null, text: '', usage: null, cost: 0.5 };
      const candidates = type === 'plan-candidate' ? 2 : 1;
      const clock = new FakeClock('auto');
      const ask = async (store: MemoryStore) => {
        let kept: number | null = null;
        const conductor: Conductor = {
          info,
          async *propose() {
            const messages = [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }];
            yield { type: 'plan-started', conductor: info, messages, sampling: { temperature: 0, maxTokens: 10 } };
            yield answer;
            kept = stored.filter((event) => event.type === type).length;
            yield finished(plan);
          },
        };
        const { intercept } = store;
        const stored: StoredEvent[] = [];
        store.intercept = async (event) => {
          await intercept?.(event);
          await clock.sleep(30, new AbortController().signal);
          stored.push(event);
        };
        const { run } = await play({ clock, plan: [], start: { candidates }, store, dependencies: { conductor } });
        return { kept, fault: run.fault };
      };
      expect(await ask(new MemoryStore())).toEqual({ kept: 1, fault: null });
      expect(await ask(refuse(type))).toEqual({ kept: null, fault: full.fault });
    },
  );

  it('does not delay the run’s live events while an event is being stored', async () => {
    const store = new MemoryStore();
    let release: () => void = () => undefined;
    store.intercept = ({ seq }) => {
      if (seq === 0) return new Promise((resolve) => (release = resolve));
    };
    const { events } = stage({ plan, store });
    const iterator = events[Symbol.asyncIterator]();
    const types: string[] = [];
    while (types.at(-1) !== 'step-started') {
      const { value, done: ended } = await iterator.next();
      if (ended) break;
      types.push(value.type);
    }
    expect(types).toHaveLength(7);
    release();
    await collect({ [Symbol.asyncIterator]: () => iterator });
  });

  it('contains the last event when the run is over', async () => {
    const store = new MemoryStore();
    const { events } = stage({ plan, store });
    for await (const event of events) {
      if (event.type === 'run-finished') expect(await store.count()).toBe(1);
    }
    expect((await store.read('run-1')).at(-1)?.type).toBe('run-finished');
  });
});

describe('a run whose storage fails', () => {
  it('does not call a step whose start cannot be stored, and fails with the storage fault', async () => {
    const { run, workers, store } = await play({ plan, store: refuse('step-started') });
    expect(workers.calls).toHaveLength(0);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    expect(run.fault).toMatchObject({ code: 'storage-full', message: 'There is no room left.' });
    expect((await store.read('run-1')).at(-1)?.type).toBe('step-queued');
  });

  it('does not call dependent steps if a step’s end cannot be stored', async () => {
    const { run, workers } = await play({ plan, store: refuse('step-finished') });
    expect(workers.calls).toHaveLength(1);
    expect(run.fault?.code).toBe('storage-full');
    expect(run.rounds[0]?.steps[0]?.output).toBe('a done');
  });

  it('reads a call to its end, and makes no other calls, if a delta of the call cannot be stored', async () => {
    const { run, workers, events } = await play({ plan, store: refuse('step-delta') });
    expect(workers.calls).toHaveLength(1);
    expect(workers.calls[0]?.aborted).toBe(false);
    expect(ofType(events, 'step-finished')).toHaveLength(1);
    expect(run.fault?.code).toBe('storage-full');
  });

  it('does not retry a failed call if the `step-queued` event cannot be stored', async () => {
    const busy = fails(fault('overloaded', 'Busy.', { retryable: true, retryAfter: 50_000 }));
    const { events, clock } = await play({ plan, store: refuse('step-queued'), work: () => [wait(5), busy] });
    expect(ofType(events, 'step-retried')).toEqual([]);
    expect(clock.monotonic()).toBeLessThan(50_000);
  });

  it('stops the Conductor if the `plan-started` event cannot be stored', async () => {
    const { run, conductor, clock } = await play({
      plan: () => [started, wait(10), known(0, step(0, 'a')), wait(10_000)],
      store: refuse('plan-started'),
    });
    expect(conductor.aborted).toBe(true);
    expect(clock.monotonic()).toBeLessThan(10_000);
    expect(run.fault?.code).toBe('storage-full');
  });

  it('reads a call to its end and stops the Conductor if the call’s delta cannot be stored during planning', async () => {
    const { events, workers, conductor, clock } = await play({
      plan: () => [started, known(0, step(0, 'a')), wait(10_000), known(1, step(1, 'b'))],
      store: refuse('step-delta'),
      work: () => [delta('a'), wait(100), done()],
    });
    expect(ofType(events, 'step-finished')).toHaveLength(1);
    expect(workers.calls.map(({ aborted }) => aborted)).toEqual([false]);
    expect(conductor.aborted).toBe(true);
    expect(clock.monotonic()).toBeLessThan(10_000);
  });

  it('fails if the `run-finished` event cannot be stored', async () => {
    const { events, run } = await play({ plan, store: refuse('run-finished') });
    expect(run).toMatchObject({ status: 'failed', fault: { code: 'storage-full' } });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });

  it('reports an unknown storage error as a storage fault with the error as detail', async () => {
    const store = new MemoryStore();
    store.intercept = () => {
      throw new Error('disk on fire');
    };
    const { run } = await play({ plan, store });
    expect(run.fault).toMatchObject({ code: 'storage-failed', detail: 'Error: disk on fire' });
  });

  it('stores events without gaps if an event in the middle of the run cannot be stored', async () => {
    const store = refuse('step-delta', 2);
    const { events } = await play({ plan, store });
    const kept = await store.read('run-1');
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index));
    expect(kept.map(({ type }) => type)).toEqual(events.slice(0, kept.length).map(({ type }) => type));
    expect(kept.length).toBeLessThan(events.length);
  });

  it('ends as canceled if the user stops it and the `step-cancelled` event cannot be stored', async () => {
    const staged = stage({
      plan,
      clock: new FakeClock('auto'),
      store: refuse('step-cancelled'),
      work: () => [delta('x'), wait(100)],
    });
    const events = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type === 'step-delta') staged.controller.abort();
    }
    expect(fold(events).status).toBe('cancelled');
  });
});
