import { describe, expect, it } from 'vitest';
import { isAbort } from '../../../src/core/contract';
import { Turns } from '../../../src/platform/engine/turns';
import { idle } from '../../fixtures/fake-clock';

const never = () => new AbortController().signal;

describe('turns to use a model', () => {
  it('are granted one at a time, by priority, then in the order of the requests', async () => {
    const turns = new Turns();
    const leave = await turns.acquire(never());
    const order: string[] = [];
    const wait = async (name: string, priority: number) => {
      const done = await turns.acquire(never(), priority);
      order.push(name);
      done();
    };
    const all = [wait('one', 0), wait('two', 0), wait('plan', 1)];
    await idle();
    expect(order).toEqual([]);
    leave();
    await Promise.all(all);
    expect(order).toEqual(['plan', 'one', 'two']);
  });

  it('are not granted to a caller that stopped waiting', async () => {
    const turns = new Turns();
    const leave = await turns.acquire(never());
    const stop = new AbortController();
    const cancelled = turns.acquire(stop.signal).catch((thrown: unknown) => thrown);
    stop.abort();
    expect(isAbort(await cancelled)).toBe(true);
    leave();
    (await turns.acquire(never()))();
  });

  it('last until they are released, even if the signal aborts', async () => {
    const turns = new Turns();
    const stop = new AbortController();
    const leave = await turns.acquire(stop.signal);
    let isNext = false;
    const next = turns.acquire(never()).then(() => (isNext = true));
    stop.abort();
    await idle();
    expect(isNext).toBe(false);
    leave();
    await next;
  });

  it('are not granted if the signal has already aborted', async () => {
    expect(isAbort(await new Turns().acquire(AbortSignal.abort()).catch((thrown: unknown) => thrown))).toBe(true);
  });
});
