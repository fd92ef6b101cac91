/** @file Reads how long a server asks to wait before the next call, from the headers of its reply. */

/** The one method of `Headers` that callers need to provide. */
export interface ReadableHeaders {
  get(name: string): string | null;
}

/**
 * The requested wait in ms, from `retry-after-ms`, or else from `retry-after` (seconds or a date). `null` if neither is valid.
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
