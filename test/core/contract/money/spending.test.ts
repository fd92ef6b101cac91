import { describe, expect, test } from 'vitest';
import { costOf, dayOf, judgeDay, sumOf, totalsOf, type DaySpent } from '../../../../src/core/contract';

const call = (usd: number | null) => ({ name: 'Ada', usd });

describe('the daily budget', () => {
  test.each([
    ['no cap', call(5), null, { spent: 99, held: 99 }, null],
    ['enough room', call(0.4), 1, { spent: 0.3, held: 0.3 }, null],
    ['exactly enough room', call(0.1), 0.3, { spent: 0.1, held: 0.1 }, null],
    ['room once other calls have ended', call(0.5), 1, { spent: 0.3, held: 0.3 }, 'wait'],
    ['no room', call(0.8), 1, { spent: 0.3, held: 0 }, 'cap-reached'],
    ['an unknown price', call(null), 1, { spent: 0, held: 0 }, 'price-unknown'],
    ['a reservation that is not a valid amount', call(-5), 1, { spent: 0, held: 0 }, 'price-unknown'],
    ['an unknown price without a cap', call(null), null, { spent: 0, held: 0 }, null],
    ['a price of 0 after the whole budget is spent', call(0), 1, { spent: 1, held: 0 }, null],
  ] as const)('allows, delays or refuses a call: %s', (_, wanted, cap, day, verdict) => {
    const found = judgeDay(wanted, cap, day);
    expect(found?.type === 'refused' ? found.fault.code : (found?.type ?? null)).toBe(verdict);
  });

  test('explains a refusal with the amount left today and what to do', () => {
    const found = judgeDay(call(0.8), 1, { spent: 0.3, held: 0 });
    expect(found?.type === 'refused' && found.fault.message).toBe(
      'Your daily budget is $1.00, and $0.70 of it is left today. The next call could cost up to $0.80. Raise the daily budget, allow shorter answers, or continue tomorrow.',
    );
  });
});

describe('spending totals', () => {
  test('count the cost of a call, or its reserved amount if the cost is unknown', () => {
    expect(sumOf({ usd: null, billed: false, tokens: 9 }, 0.5)).toMatchObject({ usd: 0.5, billed: 0, unpriced: 1 });
    expect(sumOf({ usd: 0.2, billed: true, tokens: 9 }, 0.5)).toMatchObject({ usd: 0.2, billed: 0.2, unpriced: 0 });
    expect(sumOf({ usd: 0.2, billed: false, tokens: 9 }, 0.5)).toMatchObject({ usd: 0.2, billed: 0, unpriced: 0 });
  });

  test.each([-1, -Infinity, Infinity, NaN, 1e300])(
    'count the reserved amount for an invalid cost of %s, or 0 if both are invalid',
    (usd) => {
      const bill = { usd, billed: true, tokens: -5 };
      expect(sumOf(bill, 0.5)).toEqual({ calls: 1, tokens: 0, usd: 0.5, billed: 0, unpriced: 1 });
      expect(sumOf(bill, usd)).toMatchObject({ usd: 0 });
    },
  );

  test('list the workers’ spending today and this month, the most expensive worker first', () => {
    const row = (day: string, workerId: string, usd: number): DaySpent => {
      return { day, workerId, name: workerId.toUpperCase(), calls: 1, tokens: 10, usd, billed: 0, unpriced: 0 };
    };
    const totals = totalsOf(
      [row('2026-11-01', 'a', 1), row('2026-11-21', 'b', 3), row('2026-11-21', 'a', 1)],
      '2026-11-21',
    );
    expect(totals.workers.map(({ name, today, month }) => [name, today.usd, month.usd])).toEqual([
      ['B', 3, 3],
      ['A', 1, 2],
    ]);
    expect(totals).toMatchObject({ today: { usd: 4, calls: 2 }, month: { usd: 5, calls: 3, tokens: 30 } });
  });

  test('use local calendar days in a format that sorts as text', () => {
    expect(dayOf(new Date(2026, 0, 5, 23, 59).getTime())).toBe('2026-01-05');
    expect(dayOf(new Date(2026, 10, 21, 0, 0).getTime())).toBe('2026-11-21');
  });
});

test('`costOf` charges cached input at its own price if that is known', () => {
  const usage = { input: 1000, output: 100, cached: 600 };
  expect(costOf(usage, { input: 2, output: 10, cachedInput: 0.5 })).toBeCloseTo((400 * 2 + 600 * 0.5 + 1000) / 1e6, 12);
  expect(costOf(usage, { input: 2, output: 10 })).toBeCloseTo((1000 * 2 + 1000) / 1e6, 12);
});
