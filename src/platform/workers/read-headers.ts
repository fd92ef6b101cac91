/** @file Reads from a reply's headers how long the server asks to wait before the next call. */

/** The part of `Headers` that this file uses. */
export interface ReadableHeaders {
  get(name: string): string | null;
}

/**
 * The requested wait, ms: `retry-after-ms`, or `retry-after` in seconds or as a date. `null` if there is none.
 * @param now ms since the epoch
 */
export function readRetryAfter(headers: ReadableHeaders, now: number): number | null {
  const ms = readNumber(headers.get('retry-after-ms'));
  if (ms !== null) return ms;
  const header = headers.get('retry-after');
  const seconds = readNumber(header);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function readNumber(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
