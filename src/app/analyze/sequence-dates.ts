/** @file Date labels for the horizontal axis of a sequence of runs. */

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `20 Nov` */
export function shortDate(at: number): string {
  return day.format(at);
}

/**
 * Labels for the end times `to` of the points: times of day if all are on the same day, otherwise dates, with the year
 * if there are several years. Skips points with an invalid time.
 */
export function datesOf(
  points: readonly { readonly run: number; readonly to: number }[],
): readonly { readonly run: number; readonly text: string }[] {
  const valid = points.filter(({ to }) => Number.isFinite(new Date(to).getTime()));
  const isOneDay = new Set(valid.map(({ to }) => new Date(to).toDateString())).size === 1;
  const isOneYear = new Set(valid.map(({ to }) => new Date(to).getFullYear())).size === 1;
  const label = isOneDay ? time : isOneYear ? day : dayOfYear;
  return valid.map(({ run, to }) => ({ run, text: label.format(to) }));
}
