/** @file Compares clock times, such as 4:30 PM and 16:30. */

interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  /** `null`: the time does not say which half of the day is meant. */
  readonly half: 'am' | 'pm' | null;
  readonly hasMinute: boolean;
}

/**
 * Whether two clock times are equal, if at least one names its half of the day. An answer with a half of the day equals a
 * reference without one. `null`: these are no such times
 */
export function isSameTime(reference: string, answer: string): boolean | null {
  const [expected, given] = [timeOf(reference), timeOf(answer)];
  if (!expected || !given || (expected.half ?? given.half) === null) return null;
  // “4 am” may also be a product, and “4” is more often a number.
  if (!(expected.hasMinute || given.hasMinute) || (!given.hasMinute && given.half === null)) return null;
  const isSame = minutesOf(expected) === minutesOf(given);
  return isSame || (expected.half === null && minutesOf(expected) === minutesOf({ ...given, half: null }));
}

function timeOf(latex: string): ClockTime | null {
  const plain = latex
    .slice(0, 60)
    .replace(/\\(?:text|textbf|textrm|mathrm|mbox)\s?\{([^{}]*)\}/g, ' $1')
    .replace(/\\[,;:! ]|[~$]/g, ' ')
    .trim();
  const [, hour, minute, half] = /^(\d{1,2})(?::([0-5]\d))?\s{0,4}(?:([ap])\.?\s?m\.?)?$/i.exec(plain) ?? [];
  if (hour === undefined || Number(hour) > 24) return null;
  return {
    hour: Number(hour),
    minute: Number(minute ?? 0),
    half: half === undefined ? null : half.toLowerCase() === 'a' ? 'am' : 'pm',
    hasMinute: minute !== undefined,
  };
}

/** Minutes since midnight. */
function minutesOf({ hour, minute, half }: ClockTime): number {
  return (half === null ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute;
}
