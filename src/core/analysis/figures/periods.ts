/** @file Days, weeks, months or years between two moments, in the user's time zone. */

const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** Maximum number of periods. With more periods, the bars of a plot would be too thin. */
const MOST = 62;

/**
 * Divides the time from `first` to `last` into at most 62 periods. Chooses the shortest unit for which 62
 * periods are enough. If 62 years are not enough, one period covers the whole time.
 * @returns `starts`: the first ms of each period, and then the first ms after the last period
 */
export function periodsBetween(
  first: number,
  last: number,
): { readonly unit: PeriodUnit; readonly starts: readonly number[] } {
  for (const unit of PERIOD_UNITS) {
    const starts = [startOf(unit, first)];
    let next = starts[0] ?? first;
    do {
      next = after(unit, next);
      starts.push(next);
    } while (next <= last && starts.length <= MOST);
    if (next > last) return { unit, starts };
  }
  return { unit: 'year', starts: [first, last + 1] };
}

function startOf(unit: PeriodUnit, at: number): number {
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (unit) {
    case 'day':
      return new Date(year, month, day).getTime();
    case 'week':
      // Weeks start on Monday.
      return new Date(year, month, day - ((date.getDay() + 6) % 7)).getTime();
    case 'month':
      return new Date(year, month).getTime();
    case 'year':
      return new Date(year, 0).getTime();
    default:
      return unit satisfies never;
  }
}

/**
 * The start of the next period. Adding ms would be wrong, because not every day has 24 hours.
 * @param at start of a period
 */
function after(unit: PeriodUnit, at: number): number {
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (unit) {
    case 'day':
      return new Date(year, month, day + 1).getTime();
    case 'week':
      return new Date(year, month, day + 7).getTime();
    case 'month':
      return new Date(year, month + 1).getTime();
    case 'year':
      return new Date(year + 1, 0).getTime();
    default:
      return unit satisfies never;
  }
}
