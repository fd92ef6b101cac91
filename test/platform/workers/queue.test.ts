import { expect, test } from 'vitest';
import { createHostQueue } from '../../../src/platform/workers/queue';
import { idle } from '../../fixtures/fake-clock';

const never = () => new AbortController().signal;
const ONE = 'https://one.example';

test('lets so many in at once, then one for each that leaves, in order', async () => {
  const queue = createHostQueue(2);
  const order: number[] = [];
  const leaves: (() => void)[] = [];
  for (const number of [1, 2, 3, 4])
    void queue.enter(ONE, never()).then((leave) => {
      order.push(number);
      leaves.push(leave);
    });
  await idle();
  expect(order).toEqual([1, 2]);
  leaves[1]?.();
  await idle();
  expect(order).toEqual([1, 2, 3]);
  leaves[0]?.();
  leaves[0]?.();
  await idle();
  expect(order).toEqual([1, 2, 3, 4]);
  expect(queue.waiting(ONE)).toBe(0);
});

test('five at once by default, and hosts do not wait for each other', async () => {
  const queue = createHostQueue();
  for (let number = 0; number < 7; number++) void queue.enter(ONE, never());
  await idle();
  expect(queue.waiting(ONE)).toBe(2);
  await expect(queue.enter('https://two.example', never())).resolves.toBeTypeOf('function');
});

test('an aborted call leaves the queue and takes no place', async () => {
  const queue = createHostQueue(1);
  const leave = await queue.enter(ONE, never());
  const controller = new AbortController();
  const second = queue.enter(ONE, controller.signal);
  const third = queue.enter(ONE, never());
  controller.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  expect(queue.waiting(ONE)).toBe(1);
  leave();
  await expect(third).resolves.toBeTypeOf('function');
});

test('a call that is aborted beforehand does not enter', async () => {
  const queue = createHostQueue(1);
  await expect(queue.enter(ONE, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  await expect(queue.enter(ONE, never())).resolves.toBeTypeOf('function');
});
