/** @file Tests the queue between a run and its reader. */
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/core/executor/event-queue';

const nothing = () => undefined;
const left = () => Promise.resolve();

describe('an event queue', () => {
  it('starts the work once, on the first read', async () => {
    let starts = 0;
    const queue = new EventQueue<number>(() => {
      starts += 1;
      queue.push(1);
      queue.push(2);
      queue.close();
    }, left);
    expect(starts).toBe(0);
    const all: number[] = [];
    for await (const item of queue) all.push(item);
    expect([starts, all]).toEqual([1, [1, 2]]);
  });

  it('resolves pending reads in order, and ends the last one when the queue closes', async () => {
    const queue = new EventQueue<number>(nothing, left);
    const requested = [queue.next(), queue.next(), queue.next()];
    queue.push(1);
    queue.push(2);
    queue.close();
    expect((await Promise.all(requested)).map(({ value }) => value)).toEqual([1, 2, undefined]);
  });

  it('cancels the work when the reader breaks out of its loop, and waits for the work to end', async () => {
    const steps: string[] = [];
    const queue = new EventQueue<number>(
      () => queue.push(1),
      async () => {
        await Promise.resolve();
        steps.push('called off');
      },
    );
    for await (const item of queue) {
      steps.push(`took ${item}`);
      break;
    }
    steps.push('left');
    queue.push(2);
    expect(steps).toEqual(['took 1', 'called off', 'left']);
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });
});
