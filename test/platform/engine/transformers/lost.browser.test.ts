/** @file Tests Web Workers that end in the middle of an answer, with an error or silently. Browsers may end them in both ways. */
import { describe, expect, it } from 'vitest';
import type { Clock, LocalEngine } from '../../../../src/core/contract';
import { createModelHost } from '../../../../src/platform/engine/host';
import { createTransformersLoader } from '../../../../src/platform/engine/transformers/loader';
import { HOST, load, manifestOf, request, write, type Written } from './models';

/** A clock whose sleeps last until the test calls `ring`. */
class HandClock implements Clock {
  #wake: (() => void)[] = [];
  now = () => 0;
  monotonic = () => 0;
  sleep = () => new Promise<void>((resolve) => this.#wake.push(resolve));
  ring(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

interface Held {
  readonly clock: HandClock;
  readonly workers: Worker[];
  readonly createWorker: () => Worker;
}

function hold(): Held {
  const workers: Worker[] = [];
  const createWorker = () => {
    const worker = new Worker(new URL('../../../../src/platform/engine/transformers/worker.ts', import.meta.url), {
      type: 'module',
    });
    workers.push(worker);
    return worker;
  };
  return { clock: new HandClock(), workers, createWorker };
}

/** Generates an answer, and calls `strike` after its first piece of text. @returns the last event */
async function struck(engine: LocalEngine, strike: () => void): Promise<Written['ending']> {
  let isStruck = false;
  for await (const event of engine.generate(request({ maxTokens: 5000 }), new AbortController().signal)) {
    if (event.type !== 'delta') return event;
    if (!isStruck) strike();
    isStruck = true;
  }
  throw new Error('The answer has no ending.');
}

describe('a Web Worker that is lost in the middle of an answer', () => {
  it('is reported immediately when it crashes', async () => {
    const held = hold();
    const engine = await load(manifestOf('plain'), held).engine;
    const ending = await struck(engine, () => held.workers[0]?.postMessage('not one of ours'));
    expect(ending).toMatchObject({ type: 'failed', fault: { code: 'interrupted', retryable: true } });
    expect(await engine.lost).toMatchObject({ code: 'interrupted' });
    expect((await write(engine, request())).ending).toMatchObject({ type: 'failed' });
  });

  it('is reported as stalled when it sends nothing for too long', async () => {
    const held = hold();
    const engine = await load(manifestOf('plain'), held).engine;
    const ending = struck(engine, () => {
      held.workers[0]?.terminate();
      const ring = setInterval(() => held.clock.ring(), 20);
      void engine.lost.then(() => clearInterval(ring));
    });
    expect(await ending).toMatchObject({ type: 'failed', fault: { code: 'stalled', retryable: true } });
  });

  it('is replaced by a new Web Worker at the next call, and this call finishes', async () => {
    const held = hold();
    const manifest = manifestOf('plain');
    const loader = createTransformersLoader({ ...held, gpu: () => Promise.resolve(null), host: HOST });
    const none = () => Promise.reject(new Error('Not here.'));
    const host = createModelHost({
      loaders: { transformers: () => Promise.resolve(loader), webllm: none, browser: none },
    });
    await host.load(manifest);
    const engine = host.engineFor(manifest);
    for await (const event of engine.generate(request({ maxTokens: 5000 }), new AbortController().signal)) {
      if (event.type === 'delta') held.workers[0]?.postMessage('not one of ours');
      else expect(event).toMatchObject({ type: 'failed', fault: { code: 'interrupted', retryable: true } });
    }
    expect(host.state.kind).toBe('lost');
    const events = [];
    for await (const event of engine.generate(request(), new AbortController().signal)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'finished' });
    expect(held.workers).toHaveLength(2);
    await host.unload();
  });
});

describe('a disposed model', () => {
  it('ends the answer in progress with a fault, and fails later calls', async () => {
    const engine = await load(manifestOf('plain')).engine;
    expect(await struck(engine, () => void engine.dispose())).toMatchObject({
      type: 'failed',
      fault: { code: 'interrupted', message: expect.stringContaining('unloaded') },
    });
    expect((await write(engine, request())).ending).toMatchObject({ type: 'failed' });
  });
});
