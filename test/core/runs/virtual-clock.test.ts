import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/core/runs/virtual-clock';
import { turns } from '../../fixtures/evaluation/practice';

const never = new AbortController().signal;

describe('`VirtualClock`', () => {
  it('ends sleeps in the order of their end times, or of their starts if the end times are equal', async () => {
    const clock = new VirtualClock(0, turns());
    const woken: string[] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms, never);
      woken.push(`${name} at ${clock.monotonic()}`);
    };
    await Promise.all([sleep('late', 3_600_000), sleep('first', 20), sleep('second', 20), sleep('soon', 10)]);
    expect(woken).toEqual(['soon at 10', 'first at 20', 'second at 20', 'late at 3600000']);
    expect(clock.now()).toBe(3_600_000);
  });

  it('does not advance while other work is pending', async () => {
    const clock = new VirtualClock(0, turns());
    const order: string[] = [];
    void clock.sleep(5, never).then(() => order.push('slept'));
    for (let turn = 0; turn < 500; turn++) await Promise.resolve();
    order.push('worked');
    await clock.sleep(5, never);
    expect(order).toEqual(['worked', 'slept']);
  });

  it('rejects a sleep when its signal aborts, and ends other sleeps on time', async () => {
    const clock = new VirtualClock(0, turns());
    const controller = new AbortController();
    const sleep = clock.sleep(10, controller.signal);
    const other = clock.sleep(20, never);
    controller.abort();
    await expect(sleep).rejects.toMatchObject({ name: 'AbortError' });
    await other;
    expect(clock.monotonic()).toBe(20);
  });
});
