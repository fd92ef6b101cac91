/**
 * @file What a server or the browser says when a call fails, as a fault: which host, what it means, what to do. The browser
 * hides much on purpose (an answer without the right CORS headers looks like no answer at all), so sentences name every cause
 * that cannot be told apart.
 */
import { fault, FaultError, toFault, type Fault } from '../../core/contract';
import { readLimitRefusal, type LimitRefusal } from './limits/read-limits';
import { pageState, type PageState } from './page-state';
import { readProviderWords, redact, type ProviderWords } from './provider-words';
import { readRetryAfter, type ReadableHeaders } from './read-headers';
import type { Refusal } from './sdk';
import { hostOf, isThisMachine, type Target } from './target';

/**
 * The fault of an HTTP answer that is not a success.
 * @param body the decoded JSON, or the text where it is none
 * @param now ms since the epoch, for a `retry-after` that is a date
 */
export function faultFromHttp(
  status: number,
  headers: ReadableHeaders,
  body: unknown,
  target: Target,
  now: number,
): Fault {
  const words = readProviderWords(body);
  const said = words.text === '' ? {} : { detail: redact(words.text, target.key) };
  const { code, message, retryable, retryAfter } = judge(status, words, target, { body, headers, now });
  return fault(code, message, { status, retryable, ...said, ...waitOf(retryable, retryAfter) });
}

/** The fault of whatever the HTTP client reports. */
export function faultFromRefusal(refusal: Refusal, target: Target, now: number): Fault {
  switch (refusal.kind) {
    case 'http':
      return faultFromHttp(refusal.status, refusal.headers, refusal.body, target, now);
    case 'stream':
      return faultFromStream(refusal.body, target, now);
    case 'thrown':
      return faultFromThrown(refusal.thrown, target);
    default:
      return refusal satisfies never;
  }
}

/** The fault of an error that came inside a stream which had begun well. */
export function faultFromStream(body: unknown, target: Target, now: number): Fault {
  const words = readProviderWords(body);
  const said = words.text === '' ? {} : { detail: redact(words.text, target.key) };
  const status = words.status ?? statusOf(words);
  if (status !== null) {
    const { code, message, retryable, retryAfter } = judge(status, words, target, { body, headers: NO_HEADERS, now });
    return fault(code, message, { retryable, ...said, ...waitOf(retryable, retryAfter) });
  }
  const message = `${hostOf(target.baseUrl)} reported an error while ${target.name} was answering. Try again.`;
  return fault('server-error', message, { retryable: true, ...said });
}

/** The fault of whatever was thrown before an answer came: mostly the browser's one opaque error for all that goes wrong. */
export function faultFromThrown(thrown: unknown, target: Target, page: PageState = pageState()): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  if (thrown instanceof TypeError) return unreachable(target, page);
  const internal = toFault(thrown);
  return internal.detail === undefined ? internal : { ...internal, detail: redact(internal.detail, target.key) };
}

interface Judgement extends Pick<Fault, 'code' | 'message' | 'retryable'> {
  /** ms, where the other side asked for a pause. */
  readonly retryAfter?: number | null;
}

/** An answer as it came, for refusals whose reason and pause stand anywhere in it. */
interface Answered {
  readonly body: unknown;
  readonly headers: ReadableHeaders;
  /** ms since the epoch. */
  readonly now: number;
}

const NO_HEADERS: ReadableHeaders = { get: () => null };

function waitOf(retryable: boolean, retryAfter: number | null | undefined): Pick<Fault, 'retryAfter'> {
  return retryable && retryAfter !== null && retryAfter !== undefined ? { retryAfter } : {};
}

const final = (code: Fault['code'], message: string): Judgement => ({ code, message, retryable: false });
const passing = (code: Fault['code'], message: string): Judgement => ({ code, message, retryable: true });

/** Some providers let an organisation forbid calls from pages, and say so under any status. */
const PAGES_FORBIDDEN = /CORS requests are not allowed|not allowed (from|in) (a |the )?browser/i;

function judge(status: number, words: ProviderWords, target: Target, answered: Answered): Judgement {
  const retryAfter = readRetryAfter(answered.headers, answered.now);
  const judged = judgeStatus(status, words, target, answered);
  return { retryAfter, ...judged };
}

function judgeStatus(status: number, words: ProviderWords, target: Target, answered: Answered): Judgement {
  const host = hostOf(target.baseUrl);
  if (status >= 400 && status < 500 && PAGES_FORBIDDEN.test(words.text)) return pagesForbidden(target);
  switch (status) {
    case 401:
      return unauthorized(target);
    case 402:
      return outOfFunds(host);
    case 403:
      return forbidden(words, target);
    case 404:
      return notFound(words, target);
    case 405:
      return wrongPath(host);
    case 408:
      return passing('timeout', `${host} gave up waiting for the request. Try again.`);
    case 409:
      return final(
        'bad-request',
        `${host} says the call is in conflict with another one. Wait for that, then try again.`,
      );
    case 413:
      return tooLong(target);
    case 429:
      return tooMany(words, host, answered);
    case 503:
    case 529:
      return passing('overloaded', `${host} is overloaded or still loading the model. Try again in a while.`);
    default:
      if (status >= 500) return passing('server-error', `${host} had an error of its own (${status}). Try again.`);
      return badRequest(status, words, target);
  }
}

const UNKNOWN_MODEL = /model\b.*\b(not found|not exist)|(unknown|invalid|no such|not a valid) model/i;

/** 400, 422 and the rarer ones: some providers put everything here, so their words decide. */
function badRequest(status: number, words: ProviderWords, target: Target): Judgement {
  const { text } = words;
  if (has(words, /content_?filter|content_policy/))
    return final('content-filtered', `${hostOf(target.baseUrl)} refused the text under its content rules. Reword it.`);
  if (
    has(words, /context_length/) ||
    /context (length|window|size)|maximum context|too many tokens|prompt is too long/i.test(text)
  )
    return tooLong(target);
  if (has(words, /model_not_found/) || UNKNOWN_MODEL.test(text)) return unknownModel(target);
  if (/api.?key/i.test(text) && /invalid|incorrect|not valid|missing/i.test(text)) return unauthorized(target);
  const message = `${hostOf(target.baseUrl)} did not accept the request (${status}). What it said stands below; change the model or its settings.`;
  return final('bad-request', message);
}

function unauthorized(target: Target): Judgement {
  const host = hostOf(target.baseUrl);
  if (target.key === null)
    return final('unauthorized', `${host} asks for a key. Add one to ${target.name} under Workers.`);
  return final('unauthorized', `${host} refused the key. Enter it again under Workers, or make a new one there.`);
}

function outOfFunds(host: string): Judgement {
  return final(
    'payment-required',
    `The account at ${host} has no credit left. Add credit there, or choose another worker.`,
  );
}

function pagesForbidden({ preset }: Target): Judgement {
  const message = `Your organisation at ${preset.label} does not allow calls from web pages. Ask its administrator to allow them, use a key of another organisation, or reach the model through OpenRouter or a LiteLLM server of your own.`;
  return final('forbidden', message);
}

function forbidden(words: ProviderWords, target: Target): Judgement {
  const host = hostOf(target.baseUrl);
  if (isThisMachine(target.baseUrl))
    return final('forbidden', `${host} refuses calls from this page. ${allowThisPage(target, pageState().origin)}`);
  if (/moderation|flagged/i.test(words.text))
    return final('content-filtered', `${host} refused the text under its content rules. Reword it.`);
  return final(
    'forbidden',
    `${host} does not allow this call. Check that the key may use ${target.model}, and that your country and organisation may, too.`,
  );
}

function notFound(words: ProviderWords, target: Target): Judgement {
  return /model/i.test(words.text) || has(words, /model/) ? unknownModel(target) : wrongPath(hostOf(target.baseUrl));
}

function unknownModel(target: Target): Judgement {
  const host = hostOf(target.baseUrl);
  const pull = isThisMachine(target.baseUrl) ? ' or load it there first' : '';
  return final('not-found', `${host} has no model “${target.model}”. Choose one that it lists${pull}.`);
}

function wrongPath(host: string): Judgement {
  return final('bad-address', `${host} has nothing at this address. Check it under Workers: it usually ends in /v1.`);
}

function tooLong(target: Target): Judgement {
  const message = `The prompt is too long for ${target.model}. Let the step see fewer earlier steps, or use a model that takes in more.`;
  return final('too-large', message);
}

/** A pause longer than this means that more is spent than a minute's share, ms. */
const LONGEST_LIMIT = 300_000;

function tooMany(words: ProviderWords, host: string, { body, headers, now }: Answered): Judgement {
  if (
    has(words, /insufficient_(quota|balance|funds|credit)/) ||
    /insufficient (balance|credit|funds)/i.test(words.text)
  )
    return outOfFunds(host);
  const refusal = readLimitRefusal(body, headers, now);
  const { retryAfter } = refusal;
  if (isTooLarge(refusal)) return largerThanLimit(host, refusal);
  const isSpent = retryAfter === null ? refusal.per === 'day' : retryAfter > LONGEST_LIMIT;
  if (isSpent) return { ...quotaSpent(host, refusal, now), retryAfter };
  return { ...passing('rate-limited', `${host} is being asked too often. Wait a moment, then try again.`), retryAfter };
}

/** No wait makes room for a call that is larger than the whole limit. */
function isTooLarge({ of, per, limit, requested }: LimitRefusal): boolean {
  return of === 'tokens' && per === 'minute' && limit !== null && requested !== null && requested > limit;
}

function largerThanLimit(host: string, { limit, requested }: LimitRefusal): Judgement {
  const message = `${host} lets this key use ${limit} tokens a minute, and this call alone may come to ${requested}. Allow shorter answers under Settings, or choose another worker.`;
  return final('too-large', message);
}

/** Waiting cures it, but not while somebody waits. */
function quotaSpent(host: string, { per, retryAfter }: LimitRefusal, now: number): Judgement {
  const what = per === 'day' ? 'The quota of this key for the day' : 'The quota of this key';
  const when =
    retryAfter === null
      ? 'When it comes back was not told; a daily one mostly does so at midnight over there.'
      : `It comes back in ${longTime(retryAfter)}, at ${timeOfDay(now + retryAfter)}.`;
  return passing('quota-spent', `${what} is spent, says ${host}. ${when} Choose another worker until then.`);
}

function longTime(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** As a clock here shows it. */
function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

function has(words: ProviderWords, pattern: RegExp): boolean {
  return words.codes.some((code) => pattern.test(code));
}

/** A status for an error in a stream that tells its reason in words only. */
function statusOf(words: ProviderWords): number | null {
  if (has(words, /overloaded/)) return 529;
  if (has(words, /rate_?limit|insufficient_/)) return 429;
  if (has(words, /context_length|content_?filter|invalid_request/)) return 400;
  return null;
}

/** No answer that the page may see. Retryable but where only a person can change it. */
function unreachable(target: Target, page: PageState): Fault {
  const host = hostOf(target.baseUrl);
  if (isThisMachine(target.baseUrl)) {
    const permission = page.secure
      ? ' Chrome and Edge must have permission for the local network; Safari never lets an https page call this machine.'
      : ' If the browser asks whether this page may reach the local network, allow it.';
    const message = `No answer from ${host}. Is the server running? ${allowThisPage(target, page.origin)}${permission}`;
    return fault('unreachable', message, { retryable: true });
  }
  if (!page.online)
    return fault('offline', `This device is offline, so ${host} cannot be reached. Reconnect, then try again.`, {
      retryable: true,
    });
  if (page.secure && target.baseUrl.startsWith('http://'))
    return fault(
      'bad-address',
      `This page came over https, so the browser keeps it from calling ${host} over http. Use the server's https address, or open Podium from http://localhost.`,
    );
  const message = `${host} is unreachable, or it refuses calls from a web page (CORS), or the key is wrong: some providers hide that from pages. Check the address, then the key.`;
  return fault('unreachable', message, { retryable: true });
}

/** How a server on this machine is told to accept calls from this page. */
export function allowThisPage({ preset }: Target, origin: string): string {
  const page = origin === '' ? "this page's address" : origin;
  if (preset.allowPage) return preset.allowPage(page);
  return `It must allow this page (CORS): for Ollama set OLLAMA_ORIGINS=${page} and restart it; for LM Studio run lms server start --cors.`;
}
