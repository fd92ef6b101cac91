import { expect, test } from 'vitest';
import { periodsBetween } from '../../../../src/core/analysis/figures/periods';

const FIRST = new Date(2026, 0, 5).getTime();
const daysLater = (days: number) => new Date(2026, 0, 5 + days).getTime();

test.each([
  [1, 'day', 1],
  [62, 'day', 62],
  [63, 'week', 9],
  [7 * 62, 'week', 62],
  [7 * 62 + 1, 'month', 15],
] as const)('divides %i days into periods of one %s each: %i periods', (days, unit, periods) => {
  const found = periodsBetween(FIRST, daysLater(days) - 1);
  expect(found.unit).toBe(unit);
  expect(found.starts).toHaveLength(periods + 1);
  expect(found.starts.at(-1)).toBeGreaterThanOrEqual(daysLater(days));
});
