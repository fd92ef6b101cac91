/** @file Formats dates and times in the user's time zone. Invalid times get a placeholder instead of an error. */
import { isMoment } from '../../core/contract';

const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const timeOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Placeholders for invalid times. `Intl` would throw. */
const UNKNOWN_DATE = 'unknown date';
const UNKNOWN_TIME = '–';

/** `14:32`. */
export function timeOfDay(at: number): string {
  return isMoment(at) ? timeOf.format(at) : UNKNOWN_TIME;
}

/** `20 Nov 2026, 14:32`. */
export function dateAndTime(at: number): string {
  return isMoment(at) ? `${dayOf.format(at)}, ${timeOf.format(at)}` : UNKNOWN_DATE;
}

/** `Today`, `Yesterday` or `20 Nov 2026`. Uses calendar days, which may have 23 or 25 hours. */
export function dayLabel(at: number, now: number): string {
  if (!isMoment(at)) return UNKNOWN_DATE;
  const day = dayOf.format(at);
  if (day === dayOf.format(now)) return 'Today';
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === dayOf.format(yesterday) ? 'Yesterday' : day;
}
