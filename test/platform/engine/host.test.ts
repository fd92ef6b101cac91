import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  fault,
  FaultError,
  isLoaded,
  localWorker,
  type EngineEvent,
  type EngineWaiting,
  type GenerateRequest,
  type ModelState,
  type WorkerEvent,
} from '../../../src/core/contract';
import { createModelHost } from '../../../src/platform/engine/host';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { gate, manifest, ScriptedLoader, SPEED } from './scripted-loader';

const SMALL = manifest('Small');
const LARGE = manifest('Large');
const never = () => new AbortController().signal;

function stage(locks = new MemoryLocks()) {
  const loader = new ScriptedLoader();
  const host = createModelHost({
    loaders: { webllm: async () => loader, transformers: async () => loader, browser: async () => loader },
    locks: locks.tab(),
  });
  const states: ModelState[] = [];
  host.subscribe((state) => states.push(state));
  return { loader, host, states, locks };
}

const asking = (content: string): GenerateRequest => ({
  messages: [{ role: 'user', content }],
  grammar: null,
  temperature: 0,
  maxTokens: 10,
});

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Reads the first event, so that the call has begun. `rest` reads the remaining events. */
async function begin(events: AsyncIterable<EngineEvent | EngineWaiting>) {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  const rest = async () => {
    const all: (EngineEvent | EngineWaiting)[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) all.push(next.value);
    return all;
  };
  return { first: first.value, rest, leave: () => iterator.return?.() };
}

const work = (client: ReturnType<ReturnType<typeof stage>['host']['client']>, content: string, signal = never()) =>
  collect<WorkerEvent>(
    client.run(
      [{ role: 'user', content }],
      { worker: localWorker(SMALL), attempt: 0, seed: 1, temperature: 0, maxTokens: 5 },
      signal,
    ),
  );

it('the host separates a model’s thoughts from its answer', async () => {
  const { host } = stage();
  await host.load(SMALL);
  const events = await work(host.client(), '<think>Why</think>\n\nBecause');
  expect(events.slice(0, -1)).toEqual([
    { type: 'delta', channel: 'reasoning', text: 'Why' },
    { type: 'delta', channel: 'content', text: 'Because' },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'finished' });
});

describe('loading a model', () => {
  it('changes the state from idle to loading with progress, and then to ready', async () => {
    const { host, states } = stage();
    expect(host.state).toEqual({ kind: 'idle' });
    await host.load(SMALL);
    expect(states).toEqual([
      { kind: 'loading', manifest: SMALL, progress: null },
      {
        kind: 'loading',
        manifest: SMALL,
        progress: { phase: 'fetching', loaded: 500, total: 1000, speed: null, cached: false },
      },
      { kind: 'ready', manifest: SMALL, device: 'wasm', speed: null },
    ]);
    expect(isLoaded(host.state, SMALL.id)).toBe(true);
    expect(isLoaded(host.state, LARGE.id)).toBe(false);
  });

  it('does nothing if the model is already loaded', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    await host.load(SMALL);
    expect(loader.loaded).toHaveLength(1);
  });

  it('unloads the current model before it loads another', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    const [small] = loader.loaded;
    loader.hold = gate();
    const loading = host.load(LARGE);
    await expect.poll(() => small?.isDisposed).toBe(true);
    expect(host.state).toMatchObject({ kind: 'loading', manifest: LARGE });
    loader.hold.open();
    await loading;
    expect(host.state).toMatchObject({ kind: 'ready', manifest: LARGE });
  });

  it('is canceled by a newer request to load another model', async () => {
    const { host, loader } = stage();
    loader.hold = gate();
    const older = host.load(SMALL);
    older.catch(() => undefined);
    await expect.poll(() => host.state.kind).toBe('loading');
    loader.hold = null;
    await host.load(LARGE);
    await expect(older).rejects.toMatchObject({ name: 'AbortError' });
    expect(loader.loaded.map((engine) => engine.manifest.label)).toEqual(['Large']);
  });

  it('can be canceled while the code of the engine is loading', async () => {
    const never = () => new Promise<never>(() => undefined);
    const host = createModelHost({
      loaders: { webllm: never, transformers: never, browser: never },
    });
    const loading = host.load(SMALL).catch((thrown: unknown) => thrown);
    await expect.poll(() => host.state.kind).toBe('loading');
    await host.cancel();
    expect(await loading).toMatchObject({ name: 'AbortError' });
    expect(host.state).toEqual({ kind: 'idle' });
  });

  it('can be canceled while the model is loading', async () => {
    const { host, loader } = stage();
    loader.hold = gate();
    const loading = host.load(SMALL);
    loading.catch(() => undefined);
    await expect.poll(() => host.state.kind).toBe('loading');
    await host.cancel();
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
    expect(host.state).toEqual({ kind: 'idle' });
  });

  it('reports why it failed, and can be retried', async () => {
    const { host, loader } = stage();
    const full = fault('storage-full', 'There is no room.');
    loader.fail = new FaultError(full);
    await expect(host.load(SMALL)).rejects.toMatchObject({ fault: full });
    expect(host.state).toEqual({ kind: 'failed', manifest: SMALL, fault: full });
    await host.load(SMALL);
    expect(host.state.kind).toBe('ready');
  });

  it('fails while another tab has a model loaded', async () => {
    const locks = new MemoryLocks();
    const here = stage(locks);
    const there = stage(locks);
    await there.host.load(SMALL);
    await expect(here.host.load(SMALL)).rejects.toThrow(/Another tab/);
    await there.host.unload();
    await here.host.load(SMALL);
    expect(here.host.state.kind).toBe('ready');
  });

  it('is undone by unloading the model, which resets the state to idle', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    await host.unload();
    expect(loader.newest.isDisposed).toBe(true);
    expect(host.state).toEqual({ kind: 'idle' });
  });
});

describe('the host of a model', () => {
  it('streams the answer, and then reports the speed', async () => {
    const { host } = stage();
    await host.load(SMALL);
    const events = await collect(host.engineFor(SMALL).generate(asking('Hello'), never()));
    expect(events.map(({ type }) => type)).toEqual(['delta', 'finished']);
    expect(host.state).toMatchObject({ kind: 'ready', speed: SPEED });
  });

  it('reports the progress of prompt reading', async () => {
    const { host, loader, states } = stage();
    await host.load(SMALL);
    loader.newest.reads = [null, { read: 256, total: 400 }];
    await collect(host.engineFor(SMALL).generate(asking('Why?'), never()));
    const read = states.flatMap((state) => (state.kind === 'ready' && !state.speed ? [state.reading] : []));
    expect(read).toEqual([undefined, null, { read: 256, total: 400 }]);
  });

  it('clears the progress of prompt reading when a call ends, fails or is stopped', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    const reads = [null, { read: 256, total: 400 }];
    loader.newest.reads = reads;
    await collect(host.engineFor(SMALL).generate(asking('Why?'), never()));
    expect(host.state).toMatchObject({ kind: 'ready', speed: SPEED, reading: null });

    loader.newest.hold = gate();
    const stop = new AbortController();
    const stopped = await begin(host.engineFor(SMALL).generate(asking('Why?'), stop.signal));
    expect(host.state).toMatchObject({ reading: reads[1] });
    stop.abort();
    await expect(stopped.rest()).rejects.toMatchObject({ name: 'AbortError' });
    expect(host.state).toMatchObject({ reading: null });

    loader.newest.failCalls = fault('too-large', 'The prompt is too long.');
    expect(await work(host.client(), 'long')).toMatchObject([{ type: 'failed' }]);
    expect(host.state).toMatchObject({ reading: null });
  });

  it('resets the progress of prompt reading when a waiting call begins', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    loader.newest.reads = [{ read: 256, total: 400 }];
    const held = gate();
    loader.newest.hold = held;
    const first = work(host.client(), 'first');
    const plan = host.engineFor(SMALL).generate(asking('plan'), never())[Symbol.asyncIterator]();
    expect((await plan.next()).value).toEqual({ type: 'waiting', for: 'place', delay: null });
    held.open();
    expect((await plan.next()).value).toEqual({ type: 'waiting', for: null, delay: null });
    expect(host.state).toMatchObject({ reading: null });
    await plan.return?.();
    await first;
  });

  it('replaces the expected engine info with the real info when the model is loaded', async () => {
    const { host } = stage();
    const engine = host.engineFor(SMALL);
    expect(engine.info).toMatchObject({ model: 'Small', enforcesGrammar: true });
    await host.load(SMALL);
    expect(engine.info).toMatchObject({ engine: 'scripted 1', enforcesGrammar: false });
  });

  it('reports before the first load that the browser’s own model enforces no grammar', () => {
    const { host } = stage();
    expect(host.engineFor(manifest('Own', { engine: 'browser' })).info.enforcesGrammar).toBe(false);
  });

  it('fails a call to a model that is not loaded, with a hint to load it on the Models page', async () => {
    const { host, loader } = stage();
    const events = await collect(host.engineFor(SMALL).generate(asking('Hello'), never()));
    expect(events).toMatchObject([{ type: 'failed', fault: { code: 'worker-missing' } }]);
    await host.load(LARGE);
    expect(await collect(host.engineFor(SMALL).generate(asking('Hello'), never()))).toMatchObject([
      { type: 'failed', fault: { message: 'Small is not loaded. Load it on Models first.' } },
    ]);
    expect(loader.loaded).toHaveLength(1);
  });

  it('runs one call at a time, and starts a waiting plan before other waiting calls', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    const engine = loader.newest;
    engine.hold = gate();
    const first = work(host.client(), 'work 1');
    await expect.poll(() => engine.requested.length).toBe(1);
    const second = work(host.client(), 'work 2');
    const plan = collect(host.engineFor(SMALL).generate(asking('plan'), never()));
    engine.hold.open();
    await Promise.all([first, second, plan]);
    expect(engine.requested.map(({ messages }) => messages[0]?.content)).toEqual(['work 1', 'plan', 'work 2']);
  });

  it('reports that a call is waiting for another call, and when the wait is over', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    const held = gate();
    loader.newest.hold = held;
    const first = work(host.client(), 'first');
    const [second, plan] = [
      work(host.client(), 'second'),
      collect(host.engineFor(SMALL).generate(asking('plan'), never())),
    ];
    held.open();
    const types = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
    expect(types(await first)).toEqual(['delta', 'finished']);
    expect((await second).slice(0, 2)).toEqual([
      { type: 'waiting', for: 'place', delay: null },
      { type: 'waiting', for: null, delay: null },
    ]);
    expect(types(await plan)).toEqual(['waiting', 'waiting', 'delta', 'finished']);
    expect(types(await work(host.client(), 'alone'))).toEqual(['delta', 'finished']);
  });

  it('removes a stopped call from the queue before the call reaches the engine', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    loader.newest.hold = gate();
    const first = await begin(host.engineFor(SMALL).generate(asking('first'), never()));
    const stop = new AbortController();
    const second = work(host.client(), 'second', stop.signal);
    stop.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    await first.leave();
    expect(loader.newest.requested).toHaveLength(1);
  });

  it('throws an AbortError when a call is stopped, and serves the next call', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    loader.newest.hold = gate();
    const stop = new AbortController();
    const call = await begin(host.engineFor(SMALL).generate(asking('first'), stop.signal));
    stop.abort();
    await expect(call.rest()).rejects.toMatchObject({ name: 'AbortError' });
    loader.newest.hold = null;
    expect(await collect(host.engineFor(SMALL).generate(asking('next'), never()))).toHaveLength(2);
  });

  it('reports a cost of 0 for a worker’s call, and fails the call if the worker’s model is not loaded', async () => {
    const { host } = stage();
    expect(await work(host.client(), 'x')).toMatchObject([{ type: 'failed', fault: { code: 'worker-missing' } }]);
    await host.load(SMALL);
    expect((await work(host.client(), 'x')).at(-1)).toMatchObject({ type: 'finished', cost: 0 });
    await host.load(LARGE);
    expect(await work(host.client(), 'x')).toMatchObject([{ type: 'failed', fault: { code: 'worker-missing' } }]);
  });

  it('fails a call as interrupted when the model is unloaded during the call', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    loader.newest.hold = gate();
    const call = await begin(host.engineFor(SMALL).generate(asking('long'), never()));
    const rest = call.rest();
    await host.unload();
    expect(await rest).toMatchObject([{ type: 'failed', fault: { code: 'interrupted' } }]);
  });
});

describe('the code of an engine', () => {
  it.each([
    [false, 'offline', /This device is offline, and the program that runs Small isn’t downloaded yet/],
    [true, 'unreachable', /Couldn’t load the program that runs Small/],
  ])('that can’t be loaded is a fault with the remedy (online: %s)', async (onLine, code, message) => {
    vi.stubGlobal('navigator', { onLine });
    onTestFinished(() => void vi.unstubAllGlobals());
    const fails = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    const host = createModelHost({ loaders: { webllm: fails, transformers: fails, browser: fails } });
    await expect(host.load(SMALL)).rejects.toMatchObject({ fault: { code, retryable: true } });
    expect(host.state).toMatchObject({ kind: 'failed', fault: { message: expect.stringMatching(message) as string } });
  });
});

describe('a model that has lost the GPU', () => {
  const lost = fault('interrupted', 'The GPU was taken away.', { retryable: true });

  it('fails the call in progress, and is reloaded by the next call', async () => {
    const { host, loader, states } = stage();
    await host.load(SMALL);
    loader.newest.hold = gate();
    const call = await begin(host.engineFor(SMALL).generate(asking('long'), never()));
    loader.newest.lose(lost);
    expect(await call.rest()).toEqual([{ type: 'failed', fault: lost, usage: null, cost: null }]);
    expect(host.state).toEqual({ kind: 'lost', manifest: SMALL, fault: lost });
    expect(loader.newest.isDisposed).toBe(true);
    expect(isLoaded(host.state, SMALL.id)).toBe(true);
    const events = await collect(host.engineFor(SMALL).generate(asking('again'), never()));
    expect(events.at(-1)?.type).toBe('finished');
    expect(loader.loaded).toHaveLength(2);
    expect(states.at(-1)).toMatchObject({ kind: 'ready', speed: SPEED });
  });

  it('is not reloaded when it is lost again immediately after a reload', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    loader.newest.lose(lost);
    await expect.poll(() => host.state.kind).toBe('lost');
    loader.holdCalls = gate();
    const again = collect(host.engineFor(SMALL).generate(asking('again'), never()));
    await expect.poll(() => loader.newest.requested.length).toBe(1);
    expect(loader.loaded).toHaveLength(2);
    loader.newest.lose(lost);
    expect((await again).at(-1)).toMatchObject({ type: 'failed', fault: lost });
    expect(host.state).toEqual({ kind: 'failed', manifest: SMALL, fault: lost });
    expect(await collect(host.engineFor(SMALL).generate(asking('once more'), never()))).toMatchObject([
      { type: 'failed', fault: { code: 'worker-missing' } },
    ]);
    expect(loader.loaded).toHaveLength(2);
  });

  it('is not reloaded if another try can’t help', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    const hopeless = fault('internal', 'Its scores are not numbers.');
    loader.newest.lose(hopeless);
    await expect.poll(() => host.state).toEqual({ kind: 'failed', manifest: SMALL, fault: hopeless });
    await collect(host.engineFor(SMALL).generate(asking('again'), never()));
    expect(loader.loaded).toHaveLength(1);
  });

  it('stays lost when the call that reloads it is stopped', async () => {
    const { host, loader } = stage();
    await host.load(SMALL);
    loader.newest.lose(lost);
    await expect.poll(() => host.state.kind).toBe('lost');
    loader.hold = gate();
    const stop = new AbortController();
    const call = collect(host.engineFor(SMALL).generate(asking('again'), stop.signal));
    await expect.poll(() => host.state.kind).toBe('loading');
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(host.state.kind).toBe('lost');
  });
});
