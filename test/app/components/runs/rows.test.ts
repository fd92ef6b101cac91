import { expect, test } from 'vitest';
import { dayLabel, timeOfDay } from '../../../../src/app/components/dates';
import { rowsByDay } from '../../../../src/app/components/runs/rows';
import { runSummary } from '../../run-summaries';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
const NOW = at(20, 14, 40);

test('a heading precedes the runs of each day', () => {
  const times = [at(20, 14, 32), at(20, 0, 0), at(19, 23, 59), at(3, 9)];
  const rows = rowsByDay(
    times.map((startedAt, index) => runSummary({ id: `run-${index}`, startedAt })),
    NOW,
  );
  expect(rows.map((row) => (row.kind === 'day' ? row.label : row.summary.id))).toEqual([
    'Today',
    'run-0',
    'run-1',
    'Yesterday',
    'run-2',
    '3 Nov 2026',
    'run-3',
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test('there are no rows without runs', () => {
  expect(rowsByDay([], NOW)).toEqual([]);
});

test('yesterday ends at midnight, however long the day was', () => {
  expect(dayLabel(at(20, 0, 0), NOW)).toBe('Today');
  expect(dayLabel(at(19, 0, 0), NOW)).toBe('Yesterday');
  expect(dayLabel(at(18, 23, 59), NOW)).toBe('18 Nov 2026');
  expect(timeOfDay(at(20, 9, 5))).toBe('09:05');
});
