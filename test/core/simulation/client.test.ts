import { describe, expect, it } from 'vitest';
import {
  renderPrompt,
  workerPrompt,
  type Message,
  type PoolWorker,
  type WorkerEvent,
  type WorkerOptions,
} from '../../../src/core/contract';
import { createSimulatedWorkers } from '../../../src/core/simulation/client';
import { SIMULATED_WORKERS, simulatedPoolWorkers } from '../../../src/core/simulation/profiles';
import { workFor } from '../../../src/core/simulation/work';
import { FakeClock, idle } from '../../fixtures/fake-clock';
import { BY_ROLE, outputsOf, profileNamed } from './workflows';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';

function messagesFor(at: number, outputs: readonly (string | undefined)[] = [], question = QUESTION): Message[] {
  return renderPrompt(workerPrompt({ steps: BY_ROLE }, 0, at), {
    question,
    subtask: (_, step) => BY_ROLE[step]?.subtask,
    output: (_, step) => outputs[step],
  });
}

function poolWorker(name: string): PoolWorker {
  const worker = simulatedPoolWorkers().find((each) => each.name === name);
  if (!worker) throw new Error(`There is no ${name}.`);
  return worker;
}

function options(name: string, more: Partial<WorkerOptions> = {}): WorkerOptions {
  return { worker: poolWorker(name), attempt: 0, seed: 1, temperature: 0.2, maxTokens: 4_096, ...more };
}

async function collect(events: AsyncIterable<WorkerEvent>): Promise<WorkerEvent[]> {
  const all: WorkerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const textOf = (events: readonly WorkerEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
const { signal } = new AbortController();

describe('the built-in pool', () => {
  it('has five free workers that call no server', () => {
    expect(simulatedPoolWorkers().map(({ id, mark, colour }) => `${id} ${mark} ${colour}`)).toEqual([
      'sim:alder Al 1',
      'sim:birch Bi 2',
      'sim:cedar Ce 3',
      'sim:dogwood Do 4',
      'sim:elm El 5',
    ]);
    for (const worker of simulatedPoolWorkers()) {
      expect(worker).toMatchObject({ kind: 'simulated', origin: null, price: { input: 0, output: 0 } });
    }
  });
});

describe('`createSimulatedWorkers`', () => {
  it('streams the text that `workFor` returns, then the usage', async () => {
    const clock = new FakeClock('auto');
    const events = await collect(createSimulatedWorkers({ clock }).run(messagesFor(0), options('Birch'), signal));
    const work = workFor(profileNamed('Birch'), messagesFor(0), 1);
    expect(textOf(events)).toBe(work.ok ? work.text : '');
    expect(events.filter((event) => event.type === 'delta').length).toBeGreaterThan(10);
    expect(events.at(-1)).toMatchObject({
      type: 'finished',
      cost: 0,
      finishReason: 'stop',
      usage: { estimated: true },
    });
  });

  it('sends the same events at a later attempt', async () => {
    const client = createSimulatedWorkers({ clock: new FakeClock('auto') });
    const first = await collect(client.run(messagesFor(0), options('Birch', { attempt: 0 }), signal));
    expect(await collect(client.run(messagesFor(0), options('Birch', { attempt: 3 }), signal))).toEqual(first);
  });

  it('sends nothing until the first token is due, then text, then `finished`', async () => {
    const clock = new FakeClock();
    const received: WorkerEvent[] = [];
    const reading = (async () => {
      const client = createSimulatedWorkers({ clock });
      for await (const event of client.run(messagesFor(0), options('Birch'), signal)) received.push(event);
    })();
    await clock.advance(500);
    expect(received).toEqual([]);
    await clock.advance(200);
    expect(received.length).toBeGreaterThan(0);
    expect(received.at(-1)?.type).toBe('delta');
    await clock.advance(20_000);
    await reading;
    expect(received.at(-1)?.type).toBe('finished');
  });

  it('takes six to twelve seconds for a workflow of five steps, and half as long at double speed', async () => {
    const outputs = outputsOf(BY_ROLE, QUESTION, 1);
    const seconds = async (speed?: number) => {
      const lengths: number[] = [];
      for (const [at, { worker }] of BY_ROLE.entries()) {
        const clock = new FakeClock('auto');
        const name = SIMULATED_WORKERS[worker]?.name ?? '';
        const client = createSimulatedWorkers(speed === undefined ? { clock } : { clock, speed });
        await collect(client.run(messagesFor(at, outputs), options(name), signal));
        lengths.push(clock.monotonic() / 1_000);
      }
      const [one = 0, other = 0, ...rest] = lengths;
      return rest.reduce((sum, length) => sum + length, Math.max(one, other));
    };
    const whole = await seconds();
    expect(whole).toBeGreaterThan(6);
    expect(whole).toBeLessThan(12);
    expect(await seconds(2)).toBeCloseTo(whole / 2);
  });

  it('leaves no pending sleep when it is aborted in the middle of its text', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const received: WorkerEvent[] = [];
    const reading = (async () => {
      const client = createSimulatedWorkers({ clock });
      for await (const event of client.run(messagesFor(0), options('Birch'), controller.signal)) received.push(event);
    })();
    await clock.advance(700);
    const before = received.length;
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(before).toBeGreaterThan(0);
    expect(received.length).toBe(before);
    expect(clock.sleeping).toBe(0);
  });

  it('does not start after an abort', async () => {
    const client = createSimulatedWorkers({ clock: new FakeClock('auto') });
    await expect(collect(client.run(messagesFor(0), options('Birch'), AbortSignal.abort()))).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('leaves no pending sleep when the caller ends its loop over the events early', async () => {
    const clock = new FakeClock();
    const reading = (async () => {
      for await (const event of createSimulatedWorkers({ clock }).run(messagesFor(0), options('Birch'), signal))
        return event;
      return null;
    })();
    await clock.advance(1_000);
    expect((await reading)?.type).toBe('delta');
    await idle();
    expect(clock.sleeping).toBe(0);
  });

  it('truncates its text at the maximum number of tokens', async () => {
    const client = createSimulatedWorkers({ clock: new FakeClock('auto') });
    const events = await collect(client.run(messagesFor(0), options('Birch', { maxTokens: 5 }), signal));
    expect(textOf(events).length).toBeLessThanOrEqual(20);
    expect(events.at(-1)).toMatchObject({ type: 'finished', finishReason: 'length' });
  });

  it('fails on an unreadable question', async () => {
    const client = createSimulatedWorkers({ clock: new FakeClock('auto') });
    const events = await collect(client.run(messagesFor(0, [], 'What is love?'), options('Birch'), signal));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'failed',
      fault: { code: 'question-unreadable', retryable: false },
      cost: 0,
    });
  });

  it('fails as overloaded on the first attempt with a few fixed seeds', async () => {
    const client = createSimulatedWorkers({ clock: new FakeClock('auto') });
    const failing: number[] = [];
    for (let seed = 0; seed < 150; seed++) {
      const [first] = await collect(client.run(messagesFor(1), options('Elm', { seed, maxTokens: 1 }), signal));
      if (first?.type === 'failed') failing.push(seed);
    }
    expect(failing.length).toBeGreaterThan(0);
    expect(failing.length).toBeLessThan(15);
    for (const seed of failing) {
      const again = await collect(client.run(messagesFor(1), options('Elm', { seed, attempt: 1 }), signal));
      expect(again.at(-1)?.type, `seed ${seed}`).toBe('finished');
      const failed = await collect(client.run(messagesFor(1), options('Elm', { seed }), signal));
      expect(failed).toMatchObject([{ type: 'failed', fault: { code: 'overloaded', retryable: true } }]);
    }
  });

  it('runs a worker whose profile is given, and fails for a worker without a profile', async () => {
    const clock = new FakeClock('auto');
    const own = { ...profileNamed('Birch'), id: 'sim:own', name: 'Own' };
    const worker = { ...poolWorker('Birch'), id: 'sim:own', name: 'Own' };
    const known = createSimulatedWorkers({ clock, profiles: [own] });
    expect((await collect(known.run(messagesFor(0), options('Birch', { worker }), signal))).at(-1)?.type).toBe(
      'finished',
    );
    const unknown = await collect(
      createSimulatedWorkers({ clock }).run(messagesFor(0), options('Birch', { worker }), signal),
    );
    expect(unknown).toMatchObject([{ type: 'failed', fault: { code: 'worker-missing' } }]);
  });
});
