/** @file Writes times of day. */

/** A time of day such as `09:05`. */
export function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
