import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, type Clock, type HoldRequest } from '../../../src/core/contract';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { createSpending } from '../../../src/platform/store/spending';
import { testDatabase } from './harness';

const call = (usd: number | null, more: Partial<HoldRequest> = {}): HoldRequest => {
  return { runId: 'run-1', workerId: 'w1', name: 'Ada', usd, ...more };
};
const NOON = new Date(2026, 10, 21, 12).getTime();

/** A tab with this database, and with a clock that the test sets. */
function tab(name: string, start = NOON) {
  let now = start;
  const clock: Clock & { advance(ms: number): void } = {
    now: () => now,
    monotonic: () => now - start,
    sleep: () => Promise.resolve(),
    advance: (ms) => (now += ms),
  };
  return { clock, spending: createSpending(testDatabase({ name }), clock, () => crypto.randomUUID()) };
}

async function withCap(dayUsd: number | null) {
  const database = testDatabase();
  await createPreferencesStore(database).write({ ...DEFAULT_PREFERENCES, dayUsd });
  return { database, one: tab(database.name), two: tab(database.name) };
}

describe('the record of spending', () => {
  it('lets two tabs together reserve no more than the daily budget', async () => {
    const { one, two } = await withCap(0.7);
    const tabs = [one, two];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        tabs[index % 2]?.spending.hold(call(0.1, { runId: `run-${index % 2}` })),
      ),
    );
    const held = results.flatMap((result) => (result?.type === 'held' ? result.id : []));
    expect(held).toHaveLength(7);
    expect(results.filter((result) => result?.type === 'wait')).toHaveLength(13);

    await one.spending.settle(held[0] ?? '', { usd: 0.02, billed: true, tokens: 30 });
    expect(await two.spending.hold(call(0.08))).toMatchObject({ type: 'held' });
    expect(await two.spending.hold(call(0.08))).toEqual({ type: 'wait' });
    expect(await two.spending.hold(call(0.69))).toMatchObject({ type: 'refused', fault: { code: 'cap-reached' } });
  });

  it('applies a daily budget that was set after the tab was opened', async () => {
    const { database, one } = await withCap(null);
    expect(await one.spending.hold(call(null))).toMatchObject({ type: 'held' });
    await createPreferencesStore(database).write({ ...DEFAULT_PREFERENCES, dayUsd: 1 });
    expect(await one.spending.hold(call(null))).toMatchObject({ type: 'refused', fault: { code: 'price-unknown' } });
    expect(await one.spending.hold(call(2))).toMatchObject({ type: 'refused', limit: 1, wanted: 2 });
  });

  it('counts each call on the day of its reservation, in the daily, monthly and worker totals', async () => {
    const { database, one } = await withCap(null);
    const { spending, clock } = one;
    const pay = async (workerId: string, usd: number | null, billed = false) => {
      const result = await spending.hold(call(1, { workerId, name: workerId }));
      return async () => {
        if (result.type === 'held') await spending.settle(result.id, { usd, billed, tokens: 100 });
      };
    };
    await (
      await pay('a', 0.25, true)
    )();
    const late = await pay('b', 0.5);
    clock.advance(24 * 3_600_000);
    await late();
    await late();
    await (
      await pay('a', null)
    )();
    const totals = await tab(database.name, clock.now()).spending.totals();
    expect(totals.today).toEqual({ calls: 1, tokens: 100, usd: 1, billed: 0, unpriced: 1 });
    expect(totals.month).toEqual({ calls: 3, tokens: 300, usd: 1.75, billed: 0.25, unpriced: 1 });
    expect(totals.workers.map(({ workerId, month }) => [workerId, month.usd])).toEqual([
      ['a', 1.25],
      ['b', 0.5],
    ]);
    clock.advance(20 * 24 * 3_600_000);
    expect((await spending.totals()).month.calls).toBe(0);
  });

  it('counts the reservations of an abandoned run as spent, because its calls may have been sent', async () => {
    const { one, two } = await withCap(1);
    await one.spending.hold(call(0.6, { runId: 'gone' }));
    expect(await two.spending.hold(call(0.5))).toEqual({ type: 'wait' });
    await two.spending.abandon('gone');
    expect(await two.spending.hold(call(0.5))).toMatchObject({ type: 'refused' });
    expect((await two.spending.totals()).today).toMatchObject({ usd: 0.6, unpriced: 1, calls: 1 });
  });

  it('releases an abandoned run’s reservations for calls that were never sent', async () => {
    const { one, two } = await withCap(null);
    const key = { round: 0, step: 1, attempt: 2 };
    const ours = { runId: 'gone' };
    for (const more of [{ call: key }, { call: { ...key, step: null } }, {}]) {
      await one.spending.hold(call(0.25, { ...ours, ...more }));
    }
    await one.spending.hold(call(0.25, { call: key }));
    const requested: unknown[] = [];
    await two.spending.abandon('gone', (of) => {
      requested.push(of);
      return of.step === 1;
    });
    expect(requested).toEqual(expect.arrayContaining([key, { ...key, step: null }]));
    expect((await two.spending.totals()).today).toMatchObject({ usd: 0.5, unpriced: 2, calls: 2 });
    expect(await two.spending.holders()).toEqual(['run-1']);
  });

  it('releases the reservation of a call that was never sent, and lists runs with reservations', async () => {
    const { one, two } = await withCap(1);
    const held = await one.spending.hold(call(0.6));
    await one.spending.hold(call(0.1, { runId: 'run-2' }));
    await one.spending.hold(call(0.1, { runId: 'run-2' }));
    expect(await two.spending.holders()).toEqual(expect.arrayContaining(['run-1', 'run-2']));
    await two.spending.settle(held.type === 'held' ? held.id : '', null);
    expect(await two.spending.holders()).toEqual(['run-2']);
    expect((await one.spending.totals()).today).toMatchObject({ usd: 0, calls: 0 });
  });
});
