import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fault, type Fault, type LoadProgress } from '../../../src/core/contract';
import { ModelLink } from '../../../src/platform/engine/model-link';
import { MODEL_REPORTS } from '../../../src/platform/engine/reports';
import { Turns } from '../../../src/platform/engine/turns';
import type { CallMessage, LinkedWorker } from '../../../src/platform/worker-link';
import { FakeClock, idle } from '../../fixtures/fake-clock';

type Command = { readonly type: 'load' } | { readonly type: 'measure'; readonly call: number };
interface Measured {
  readonly type: 'reading' | 'text' | 'measured';
}

const report = z.discriminatedUnion('type', [
  ...MODEL_REPORTS,
  z.object({ type: z.enum(['reading', 'text', 'measured']) }),
]);

/** A Web Worker that sends only the messages that the test passes to it, and records the messages that it receives. */
class SilentWorker implements LinkedWorker {
  onmessage: LinkedWorker['onmessage'] = null;
  onmessageerror: LinkedWorker['onmessageerror'] = null;
  onerror: LinkedWorker['onerror'] = null;
  isTerminated = false;
  /** All orders, and the stopped calls as `stop 1`. */
  readonly received: unknown[] = [];
  /** The number of each call in the protocol, by the number in its order. A load counts as 0. */
  readonly #ids = new Map<number, number>();

  postMessage(message: CallMessage<Command>): void {
    if (message.type === 'used') return;
    if (message.type === 'stop') {
      this.received.push(`stop ${[...this.#ids].find(([, id]) => id === message.id)?.[0]}`);
      return;
    }
    this.received.push(message.order);
    this.#ids.set(message.order.type === 'load' ? 0 : message.order.call, message.id);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: unknown): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }

  report(call: number, report: unknown): void {
    this.say({ type: 'report', id: this.#ids.get(call), report });
  }

  fail(call: number, because: Fault): void {
    this.say({ type: 'failed', id: this.#ids.get(call), fault: because });
  }

  /** Sends the last report of a call. */
  finish(call: number): void {
    this.report(call, { type: 'measured' });
    this.say({ type: 'ended', id: this.#ids.get(call) });
  }
}

const patience = { load: 3000, firstToken: 2000, nextToken: 1000, answer: 60_000 };
const unstopped = new AbortController().signal;

let worker: SilentWorker;
let clock: FakeClock;
let link: ModelLink<Command, Measured>;
let loss: Fault | null;

// Loads the code of the queue, so that a call is sent in the turn after it was made.
beforeAll(async () => (await new Turns().acquire(unstopped))());

beforeEach(() => {
  worker = new SilentWorker();
  clock = new FakeClock();
  loss = null;
  const named = { label: 'Silent', host: null };
  link = new ModelLink<Command, Measured>({ worker, read: (data) => report.parse(data), named, clock, patience });
  void link.lost.then((because) => (loss = because));
});

/** Reads the reports of a call in the background. */
function follow(call: number, signal = unstopped) {
  const received: Measured[] = [];
  const done = (async () => {
    for await (const each of link.call({ type: 'measure', call }, signal)) received.push(each);
  })();
  done.catch(() => undefined);
  return { received, done };
}

describe('a model that is loading', () => {
  it('reports its progress, then its description', async () => {
    const progress: LoadProgress = { phase: 'loading', loaded: 1, total: 2, speed: null, cached: true };
    const seen: LoadProgress[] = [];
    const loaded = link.load({ type: 'load' }, (each) => seen.push(each), unstopped);
    worker.report(0, { type: 'progress', progress });
    worker.report(0, { type: 'loaded', what: 'silent 1' });
    expect(await loaded).toBe('silent 1');
    expect(seen).toEqual([progress]);
    expect(worker.received).toEqual([{ type: 'load' }]);
  });

  it('is lost when its Web Worker says so, even if progress was reported after the load', async () => {
    const loaded = link.load({ type: 'load' }, () => undefined, unstopped);
    worker.report(0, { type: 'loaded', what: 'silent 1' });
    await loaded;
    const { done } = follow(1);
    await idle();
    worker.report(0, {
      type: 'progress',
      progress: { phase: 'warming', loaded: null, total: null, speed: null, cached: true },
    });
    await idle();
    const gone = fault('interrupted', 'The GPU is gone.', { retryable: true });
    worker.fail(0, gone);
    await expect(done).rejects.toMatchObject({ fault: gone });
    await idle();
    expect(loss).toEqual(gone);
    expect(worker.isTerminated).toBe(true);
  });

  it('restarts its time limit at each progress report', async () => {
    const loaded = link.load({ type: 'load' }, () => undefined, unstopped);
    loaded.catch(() => undefined);
    await clock.advance(patience.load - 1);
    worker.report(0, {
      type: 'progress',
      progress: { phase: 'fetching', loaded: 1, total: 2, speed: null, cached: false },
    });
    await clock.advance(patience.load - 1);
    expect(worker.isTerminated).toBe(false);
    await clock.advance(1);
    await expect(loaded).rejects.toMatchObject({ fault: { code: 'stalled' } });
    expect(worker.isTerminated).toBe(true);
  });
});

describe('a call', () => {
  it('receives its own reports and no others', async () => {
    const { received, done } = follow(2);
    await idle();
    worker.say({ type: 'ended', id: 99 });
    worker.report(2, { type: 'text' });
    worker.finish(2);
    await done;
    expect(received).toEqual([{ type: 'text' }, { type: 'measured' }]);
  });

  it('is stopped when the whole answer takes too long, and the model stays loaded', async () => {
    const { done } = follow(1);
    await idle();
    for (let at = 0; at <= patience.answer; at += patience.nextToken - 1) {
      worker.report(1, { type: 'text' });
      await clock.advance(patience.nextToken - 1);
    }
    worker.report(1, { type: 'text' });
    await expect(done).rejects.toMatchObject({ fault: { code: 'timeout', retryable: false } });
    expect(worker.isTerminated).toBe(false);
    expect(worker.received.at(-1)).toBe('stop 1');
  });

  it('restarts the time limit at each part of the prompt, and has a shorter limit after the first token', async () => {
    const { done } = follow(1);
    await idle();
    for (let part = 0; part < 3; part++) {
      await clock.advance(patience.firstToken - 1);
      worker.report(1, { type: 'reading' });
      await idle();
    }
    await clock.advance(patience.firstToken - 1);
    worker.report(1, { type: 'text' });
    await idle();
    expect(worker.isTerminated).toBe(false);
    await clock.advance(patience.nextToken);
    await expect(done).rejects.toMatchObject({ fault: { code: 'stalled' } });
  });

  it('is not sent while a stopped call is still reading its prompt', async () => {
    const stop = new AbortController();
    const { done } = follow(1, stop.signal);
    await idle();
    stop.abort();
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
    const next = follow(2);
    worker.report(1, { type: 'reading' });
    await idle();
    expect(worker.received).not.toContainEqual({ type: 'measure', call: 2 });
    worker.finish(1);
    await idle();
    expect(worker.received).toContainEqual({ type: 'measure', call: 2 });
    worker.finish(2);
    await next.done;
  });

  it('that is aborted just before its last report lets the next call begin', async () => {
    const stop = new AbortController();
    const { done } = follow(1, stop.signal);
    await idle();
    stop.abort();
    worker.finish(1);
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
    const next = follow(2);
    await idle();
    worker.finish(2);
    await next.done;
    expect(worker.received).toContain('stop 1');
    expect(clock.sleeping).toBe(0);
    expect(loss).toBeNull();
  });

  it('is not sent until the previous, stopped call has ended', async () => {
    const stop = new AbortController();
    const first = follow(1, stop.signal);
    await idle();
    stop.abort();
    await expect(first.done).rejects.toMatchObject({ name: 'AbortError' });
    const second = follow(2);
    await idle();
    expect(worker.received).not.toContainEqual({ type: 'measure', call: 2 });
    worker.finish(1);
    await idle();
    expect(worker.received).toContainEqual({ type: 'measure', call: 2 });
    worker.finish(2);
    await second.done;
  });
});

describe('the link to a Web Worker', () => {
  it.each([
    ['sends an unknown report', () => worker.say({ type: 'nonsense' })],
    ['sends a message that cannot be read', () => worker.onmessageerror?.(new MessageEvent('messageerror'))],
    ['throws an error', () => worker.onerror?.(Object.assign(new Event('error'), { message: 'No.' }) as ErrorEvent)],
  ])('terminates a Web Worker that %s, and rejects pending and later calls', async (_how, strike) => {
    const { done } = follow(1);
    await idle();
    strike();
    await expect(done).rejects.toMatchObject({ fault: { code: 'interrupted', retryable: true } });
    await idle();
    expect(worker.isTerminated).toBe(true);
    expect(loss).toMatchObject({ code: 'interrupted' });
    await expect(follow(2).done).rejects.toMatchObject({ fault: loss });
  });

  it('rejects pending calls when it is closed, without reporting the model as lost', async () => {
    const { done } = follow(1);
    await idle();
    link.close();
    await expect(done).rejects.toMatchObject({ fault: { message: expect.stringContaining('unloaded') as string } });
    worker.finish(1);
    await idle();
    expect(worker.isTerminated).toBe(true);
    expect(loss).toBeNull();
  });
});
