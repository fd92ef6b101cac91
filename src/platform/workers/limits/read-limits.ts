/** @file Reads a provider's limits from headers, if the page can read them, and from the message of a rate-limit error. */
import type { ProviderPreset } from '../../../core/contract';
import type { ReadableHeaders } from '../read-headers';
import { readRetryAfter } from '../read-headers';

/** The remaining amount of a limit, and when the limit resets. */
export interface Budget {
  readonly left: number;
  /** ms since the epoch. */
  readonly resetAt: number;
}

/** The remaining amount of each limit after a call. `null` if the provider did not report it. */
export interface Budgets {
  readonly requests: Budget | null;
  readonly tokens: Budget | null;
}

/** The data about the limit in a rate-limit error. */
export interface LimitRefusal {
  /** How long to wait before the next call, ms. `null`: unknown. */
  readonly retryAfter: number | null;
  readonly of: 'requests' | 'tokens' | null;
  readonly per: 'minute' | 'day' | null;
  /** How many requests or tokens (see `of`) are allowed per minute or day (see `per`). */
  readonly limit: number | null;
  /** The number of requests or tokens (see `of`) that the rejected call needs. */
  readonly requested: number | null;
}

type Names = NonNullable<ProviderPreset['limits']['headers']>;

/** @param now ms since the epoch */
export function readBudgets(headers: ReadableHeaders, names: Names | null, now: number): Budgets {
  if (names === null) return { requests: null, tokens: null };
  const budget = (of: 'requests' | 'tokens'): Budget | null => {
    const [leftName, resetName] =
      names === 'x-ratelimit'
        ? [`x-ratelimit-remaining-${of}`, `x-ratelimit-reset-${of}`]
        : [`anthropic-ratelimit-${of}-remaining`, `anthropic-ratelimit-${of}-reset`];
    const left = headers.get(leftName);
    const reset = headers.get(resetName);
    const resetAt = reset === null ? null : readReset(reset, now);
    if (left === null || resetAt === null || !/^\s*\d+\s*$/.test(left)) return null;
    return { left: Number(left), resetAt };
  };
  return { requests: budget('requests'), tokens: budget('tokens') };
}

/**
 * Reads a moment (RFC 3339), or a duration such as `6m0s`, `1.2s`, `120ms` or a number of seconds.
 * @returns ms since the epoch, or `null` if the text is neither
 */
function readReset(text: string, now: number): number | null {
  const wait = readDuration(text.trim());
  if (wait !== null) return now + wait;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

const DURATION =
  /^(?:(\d+(?:\.\d+)?)\s*d\s*)?(?:(\d+(?:\.\d+)?)\s*h\s*)?(?:(\d+(?:\.\d+)?)\s*m(?!s)\s*)?(?:(\d+(?:\.\d+)?)\s*s\s*)?(?:(\d+(?:\.\d+)?)\s*ms)?$/;
const UNITS = [86_400_000, 3_600_000, 60_000, 1000, 1] as const;

/** @returns ms, or `null` if the text is not a duration */
function readDuration(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const found = text === '' ? null : DURATION.exec(text);
  if (!found) return null;
  return Math.ceil(UNITS.reduce((sum, unit, index) => sum + unit * Number(found[index + 1] ?? 0), 0));
}

/** Maximum number of UTF-16 units that are searched, from the start of a body. */
const MOST_READ = 8000;

/** Matches `Please try again in 1.2s`, `retry in 32.4s` and `try again in 20 seconds`. */
const TRY_AGAIN =
  /(?:(?:try|tried) again|retry)[^"\d]{0,20}?\b(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|[dhms])\s*)+|\d+(?:\.\d+)?)\s*(minutes?|seconds?|secs?)?/i;
const RETRY_DELAY = /"retryDelay"\s*:\s*"([^"]+)"/;
const PER_DAY = /\bper[ _-]?day|PerDay|\bRPD\b|\bTPD\b|\bdaily\b/i;
const PER_MINUTE = /\bper[ _-]?min|PerMinute|\b[IO]?TPM\b|\bRPM\b/i;
const OF_TOKENS = /\btokens?[ _-]?per|TokensPer|\b[IO]?TP[MD]\b|token_count/i;
const OF_REQUESTS = /\brequests?[ _-]?per|RequestsPer|\bRP[MD]\b/i;
/**
 * Matches the name of a daily quota. If an error names such a quota, the wait that the error requests is
 * ignored, because this wait doesn't apply to the daily quota.
 */
const QUOTA_OF_A_DAY = /[a-z]PerDay[A-Z]/;

/** Reads the response of a rate-limit error. Missing values are `null`. */
export function readLimitRefusal(body: unknown, headers: ReadableHeaders, now: number): LimitRefusal {
  const text = textOf(body);
  const isOfDay = PER_DAY.test(text);
  const wait = readRetryAfter(headers, now) ?? readTryAgain(text) ?? readResetMoment(text, now);
  return {
    retryAfter: QUOTA_OF_A_DAY.test(text) ? null : wait,
    of: OF_TOKENS.test(text) ? 'tokens' : OF_REQUESTS.test(text) ? 'requests' : null,
    per: isOfDay ? 'day' : PER_MINUTE.test(text) ? 'minute' : null,
    limit: readCount(/\blimit:?\s*([\d,]+)/i, text),
    requested: readCount(/\brequested:?\s*([\d,]+)/i, text),
  };
}

function textOf(body: unknown): string {
  return (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, MOST_READ);
}

/**
 * Matches messages about the limit of a model, such as `for gpt-5 in organization org-1` or `on model x`. Such a message may also
 * name an account.
 */
const OF_MODEL =
  /\b(?:for|on|of) (?:the |this )?model\b|\bfor \S+ in organi[sz]ation\b|model[_ -](?:rate|limit)|PerModel/i;
const OF_ACCOUNT =
  /\b(?:your|this|the) (?:account|organi[sz]ation|workspace|project|team|api[ _-]?key|key|plan|subscription)\b|\ball (?:your )?models\b|\b(?:account|organi[sz]ation|global)[ _-](?:wide|level|rate|limit)|\bper[ _-](?:account|organi[sz]ation|key)\b|free-models-per-/i;

/** Whether the message of a rate-limit error is about the whole account and not about one model. */
export function isAboutAccount(body: unknown): boolean {
  const text = textOf(body);
  return OF_ACCOUNT.test(text) && !OF_MODEL.test(text);
}

function readTryAgain(text: string): number | null {
  const delay = RETRY_DELAY.exec(text)?.[1];
  if (delay !== undefined) return readDuration(delay);
  const found = TRY_AGAIN.exec(text);
  if (!found?.[1]) return null;
  const [, amount, unit = ''] = found;
  const ms = readDuration(amount.trim());
  return ms !== null && /^min/i.test(unit) ? ms * 60 : ms;
}

/** OpenRouter includes the headers of a rate-limit error in its body, with the reset time in ms since the epoch. */
function readResetMoment(text: string, now: number): number | null {
  const moment = Number(/"X-RateLimit-Reset"\s*:\s*"?(\d{13})/i.exec(text)?.[1] ?? Number.NaN);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}

function readCount(pattern: RegExp, text: string): number | null {
  const digits = pattern.exec(text)?.[1]?.replaceAll(',', '');
  return digits === undefined || digits === '' ? null : Number(digits);
}
