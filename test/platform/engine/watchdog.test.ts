import { describe, expect, it } from 'vitest';
import { fault } from '../../../src/core/contract';
import { createSpeedMeter } from '../../../src/platform/engine/speed-meter';
import { watch } from '../../../src/platform/engine/watchdog';
import { FakeClock } from '../../fixtures/fake-clock';

const never = new Promise<never>(() => undefined);
const unstopped = new AbortController().signal;
const stalled = fault('stalled', 'Nothing came.', { retryable: true });

describe('the watchdog', () => {
  it('returns a result that arrives in time, and stops the timer', async () => {
    const clock = new FakeClock();
    expect(await watch(Promise.resolve(7), { ms: 100, late: () => stalled, clock }, unstopped)).toBe(7);
    expect(clock.sleeping).toBe(0);
  });

  it('throws the error of the watched promise', async () => {
    const failure = new Error('no');
    const watched = watch(Promise.reject(failure), { ms: 100, late: () => stalled, clock: new FakeClock() }, unstopped);
    await expect(watched).rejects.toBe(failure);
  });

  it('throws the given fault exactly when the time limit ends', async () => {
    const clock = new FakeClock();
    let outcome: unknown = null;
    const watched = watch(never, { ms: 100, late: () => stalled, clock }, unstopped).catch((each) => (outcome = each));
    await clock.advance(99);
    expect(outcome).toBeNull();
    await clock.advance(1);
    await watched;
    expect(outcome).toMatchObject({ fault: stalled });
  });

  it('throws an AbortError if the signal aborts before or during the wait', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const watched = watch(never, { ms: 100, late: () => stalled, clock }, stop.signal);
    stop.abort();
    await expect(watched).rejects.toMatchObject({ name: 'AbortError' });
    const after = watch(Promise.reject(new Error('unseen')), { ms: 100, late: () => stalled, clock }, stop.signal);
    await expect(after).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.sleeping).toBe(0);
  });
});

describe('the measured speed of a download', () => {
  it('is unknown at first, then averages the last few seconds', () => {
    const meter = createSpeedMeter();
    expect(meter.note(0, 0)).toBeNull();
    expect(meter.note(100, 100)).toBeNull();
    expect(meter.note(1000, 1000)).toBe(1000);
    for (let at = 2000; at <= 10_000; at += 1000) meter.note(1000, at);
    expect(meter.note(1000, 11_000)).toBe(0);
  });
});
