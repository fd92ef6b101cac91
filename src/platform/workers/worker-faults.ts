/**
 * @file Converts failed calls to faults that name the host, the problem and what to do. The browser hides details from pages on
 * purpose. For example, a reply without the right CORS headers looks like no reply. If causes cannot be distinguished, the
 * message names all of them.
 */
import { fault, FaultError, toFault, type Fault } from '../../core/contract';
import { readLimitRefusal, type LimitRefusal } from './limits/read-limits';
import { pageState, type PageState } from './page-state';
import { readProviderWords, redact, type ProviderWords } from './provider-words';
import { readRetryAfter, type ReadableHeaders } from './read-headers';
import { isLoading, needsOtherApi } from './refusal-words';
import type { Refusal } from './sdk';
import { isAboutOutput } from './setting-refusals';
import { hostOf, isThisMachine, secretsOf, type Target } from './target';

/**
 * The fault for an HTTP reply that is not a success.
 * @param body the decoded JSON, or the text if it is not JSON
 * @param now ms since the epoch. Used to compute the pause if `retry-after` is a date
 */
export function faultFromHttp(
  status: number,
  headers: ReadableHeaders,
  body: unknown,
  target: Target,
  now: number,
): Fault {
  const words = readProviderWords(body);
  const detail = words.text === '' ? {} : { detail: redact(words.text, secretsOf(target)) };
  const { code, message, retryable, retryAfter } = judge(status, words, target, { body, headers, now });
  return fault(code, message, { status, retryable, ...detail, ...waitOf(retryable, retryAfter) });
}

/** The fault for an error that the HTTP client reports. */
export function faultFromRefusal(refusal: Refusal, target: Target, now: number): Fault {
  switch (refusal.kind) {
    case 'http':
      return faultFromHttp(refusal.status, refusal.headers, refusal.body, target, now);
    case 'thrown':
      return faultFromThrown(refusal.thrown, target);
    default:
      return refusal satisfies never;
  }
}

/** The fault for an error inside a stream. */
export function faultFromStream(body: unknown, target: Target, now: number): Fault {
  const words = readProviderWords(body);
  const detail = words.text === '' ? {} : { detail: redact(words.text, secretsOf(target)) };
  const status = words.status ?? statusOf(words);
  const judged = judge(status ?? 400, words, target, { body, headers: NO_HEADERS, now });
  // Without a status, the message may still name a cause, such as a prompt that is too long.
  if (status !== null || judged.code !== 'bad-request') {
    const { code, message, retryable, retryAfter } = judged;
    return fault(code, message, { retryable, ...detail, ...waitOf(retryable, retryAfter) });
  }
  const message = `${hostOf(target.baseUrl)} reported an error while ${target.name} was answering. Try again.`;
  return fault('server-error', message, { retryable: true, ...detail });
}

/** The fault for an error before any reply. The error is usually the browser's network error, which has no details. */
export function faultFromThrown(thrown: unknown, target: Target, page: PageState = pageState()): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  if (thrown instanceof TypeError) return unreachable(target, page);
  const internal = toFault(thrown);
  return internal.detail === undefined ? internal : { ...internal, detail: redact(internal.detail, secretsOf(target)) };
}

interface Judgement extends Pick<Fault, 'code' | 'message' | 'retryable'> {
  /** The pause that the server requested, ms. */
  readonly retryAfter?: number | null;
}

/** The raw error response. The body or the headers can contain the reason and the requested pause. */
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

/** Some providers let an organization forbid calls from web pages. The status of such a reply can be any from 400 to 499. */
const PAGES_FORBIDDEN = /CORS requests are not allowed|not allowed (from|in) (a |the )?browser/i;

function judge(status: number, words: ProviderWords, target: Target, answered: Answered): Judgement {
  const retryAfter = readRetryAfter(answered.headers, answered.now);
  const judged = judgeStatus(status, words, target, answered);
  return { retryAfter, ...judged };
}

function judgeStatus(status: number, words: ProviderWords, target: Target, answered: Answered): Judgement {
  const host = hostOf(target.baseUrl);
  if (status >= 400 && status < 500 && PAGES_FORBIDDEN.test(words.text)) return pagesForbidden(target);
  if (!FOR_OTHER_REASONS.includes(status) && isLoading(words.text)) return overloaded(host);
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
      return passing('timeout', `${host} timed out waiting for the request. Try again.`);
    case 409:
      return final(
        'bad-request',
        `${host} refused the call, because it conflicts with another request. Wait until that request has ended, then try again.`,
      );
    case 413: {
      // Groq uses this status for a call that exceeds the limit of tokens per minute.
      const refusal = readLimitRefusal(answered.body, answered.headers, answered.now);
      return isTooLarge(refusal) ? largerThanLimit(host, refusal) : tooLong(target);
    }
    case 429:
      return tooMany(words, host, answered);
    case 503:
    case 529:
      return overloaded(host);
    default:
      if (status >= 500) return passing('server-error', `${host} had an internal error (${status}). Try again.`);
      return badRequest(status, words, target);
  }
}

/** Statuses with a meaning of their own, whatever the message says. */
const FOR_OTHER_REASONS: readonly number[] = [401, 402, 403, 408, 413, 429];

function overloaded(host: string): Judgement {
  return passing('overloaded', `${host} is overloaded or still loading the model. Try again in a while.`);
}

/** Matches messages about an account without credit. Anthropic sends such a message with status 400. */
const NO_FUNDS =
  /insufficient (account )?(balance|credit|funds)|credit balance is too low|(out of|not enough|no) (credits?|balance|funds)\b|余额不足|欠费/i;
const UNKNOWN_MODEL = /model\b.{0,200}\b(not found|not exist)|(unknown|invalid|no such|not a valid) model/i;

/**
 * The fault for status 400, 422 and rarer statuses. Some providers use these for every problem, so the server's message decides.
 */
function badRequest(status: number, words: ProviderWords, target: Target): Judgement {
  const { text } = words;
  if (NO_FUNDS.test(text)) return outOfFunds(hostOf(target.baseUrl));
  if (has(words, /content_?filter|content_policy/))
    return final('content-filtered', `${hostOf(target.baseUrl)} refused the text under its content rules. Reword it.`);
  if (
    has(words, /context_length/) ||
    /context (length|window|size)|maximum context|too many tokens|prompt is too long/i.test(text)
  )
    return isAboutOutput(text) ? tooMuchOutput(target) : tooLong(target);
  if (needsOtherApi(text)) return otherApi(target);
  if (has(words, /model_not_found/) || UNKNOWN_MODEL.test(text)) return unknownModel(target);
  if (/api.?key/i.test(text) && /invalid|incorrect|not valid|missing/i.test(text)) return unauthorized(target);
  const message = `${hostOf(target.baseUrl)} rejected the request (${status}). Change the model or its settings. The server’s message is below.`;
  return final('bad-request', message);
}

function unauthorized(target: Target): Judgement {
  const host = hostOf(target.baseUrl);
  const hasPage = pageState().origin !== '';
  if (target.key === null) {
    const place = hasPage ? `Add one to ${target.name} under Workers.` : 'Add its address and key to the keys file.';
    return final('unauthorized', `${host} needs a key. ${place}`);
  }
  const place = hasPage ? 'Enter it again under Workers' : 'Correct it in the environment or in the keys file';
  return final('unauthorized', `${host} refused the key. ${place}, or create a new key with the provider.`);
}

function outOfFunds(host: string): Judgement {
  return final(
    'payment-required',
    `The account at ${host} has no credit left. Add credit there, or choose another worker.`,
  );
}

function pagesForbidden({ preset }: Target): Judgement {
  const message = `Your organization at ${preset.label} does not allow calls from web pages. Ask its administrator to allow them, use a key of another organization, or reach the model through OpenRouter or a LiteLLM server of your own.`;
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
    `${host} doesn’t allow this call. Check that the key may use ${target.model}, and that it is available in your country and organization.`,
  );
}

function notFound(words: ProviderWords, target: Target): Judgement {
  if (/no endpoints found/i.test(words.text)) return noEndpoints(target);
  if (needsOtherApi(words.text)) return otherApi(target);
  return /model/i.test(words.text) || has(words, /model/) ? unknownModel(target) : wrongPath(hostOf(target.baseUrl));
}

/**
 * OpenRouter has the model, but no host of the model fits both the account's privacy settings and the settings of
 * the call.
 */
function noEndpoints(target: Target): Judgement {
  const host = hostOf(target.baseUrl);
  const message = `No host of ${target.model} at ${host} fits your privacy settings there and the settings of this call. Change them, or choose another model. The server’s message is below.`;
  return final('forbidden', message);
}

function unknownModel(target: Target): Judgement {
  const host = hostOf(target.baseUrl);
  const pull = isThisMachine(target.baseUrl) ? ', or load this model there first' : '';
  return final('not-found', `${host} has no model “${target.model}”. Choose a model from its list${pull}.`);
}

function otherApi({ baseUrl, model }: Target): Judgement {
  const message = `“${model}” at ${hostOf(baseUrl)} needs another API. Podium uses only the API for chat completions. Choose another model.`;
  return final('not-found', message);
}

function wrongPath(host: string): Judgement {
  return final('bad-address', `${host} has nothing at this address. Check it under Workers. It usually ends in /v1.`);
}

function tooLong(target: Target): Judgement {
  const message = `The prompt is too long for ${target.model}. Let the step see fewer earlier steps, or use a model with a larger context.`;
  return final('too-large', message);
}

function tooMuchOutput({ model, name }: Target): Judgement {
  const message = `The prompt and the max output tokens together are too long for ${model}. Lower the max output tokens of ${name}, or the limit under Settings.`;
  return final('too-large', message);
}

/**
 * Longest pause that a server requests because of a limit per minute, ms. If the pause is longer, a quota for a
 * longer period is used up.
 */
const LONGEST_LIMIT = 300_000;

function tooMany(words: ProviderWords, host: string, { body, headers, now }: Answered): Judgement {
  if (has(words, /insufficient_(quota|balance|funds|credit)/) || NO_FUNDS.test(words.text)) return outOfFunds(host);
  const refusal = readLimitRefusal(body, headers, now);
  const { retryAfter } = refusal;
  if (isTooLarge(refusal)) return largerThanLimit(host, refusal);
  const isSpent = retryAfter === null ? refusal.per === 'day' : retryAfter > LONGEST_LIMIT;
  if (isSpent) return { ...quotaSpent(host, refusal, now), retryAfter };
  return {
    ...passing('rate-limited', `${host} received too many requests. Wait a moment, then try again.`),
    retryAfter,
  };
}

/** Whether a call needs more tokens than the limit per minute. Waiting does not help such a call. */
function isTooLarge({ of, per, limit, requested }: LimitRefusal): boolean {
  return of === 'tokens' && per === 'minute' && limit !== null && requested !== null && requested > limit;
}

function largerThanLimit(host: string, { limit, requested }: LimitRefusal): Judgement {
  const message = `This key may use ${limit} tokens per minute at ${host}, and this call alone may need ${requested}. Lower the max output tokens under Settings, or choose another worker.`;
  return final('too-large', message);
}

/** The fault if the quota is used up. It is retryable, but a run does not wait until the quota resets. */
function quotaSpent(host: string, { per, retryAfter }: LimitRefusal, now: number): Judgement {
  const what = per === 'day' ? 'The daily quota' : 'The quota';
  const when =
    retryAfter === null
      ? 'The server doesn’t report when the quota resets. Daily quotas usually reset at midnight in the provider’s time zone.'
      : `It resets in ${longTime(retryAfter)}, at ${timeOfDay(now + retryAfter)}.`;
  return passing('quota-spent', `${what} of this key at ${host} is used up. ${when} Choose another worker until then.`);
}

function longTime(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** The local time of day, such as 09:05. */
function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

function has(words: ProviderWords, pattern: RegExp): boolean {
  return words.codes.some((code) => pattern.test(code));
}

/** The HTTP status that matches the codes of an error in a stream. `null` if no code is known. */
function statusOf(words: ProviderWords): number | null {
  if (has(words, /overloaded|service_?unavailable/)) return 529;
  if (has(words, /rate_?limit|insufficient_/)) return 429;
  if (has(words, /invalid_?api_?key|authentication|unauthorized|unauthenticated/)) return 401;
  if (has(words, /model_?not_?found|notfounderror/)) return 404;
  if (has(words, /context_length|content_?filter|invalid_request/)) return 400;
  return null;
}

/**
 * The fault if there is no readable reply. It is retryable, except if the browser blocks the call because the page
 * uses https and the server uses http.
 */
function unreachable(target: Target, page: PageState): Fault {
  const host = hostOf(target.baseUrl);
  // The origin is empty if this code runs outside a browser.
  if (page.origin === '') {
    const message = `Couldn’t reach ${host}. Check the address, and that the server is running.`;
    return fault('unreachable', message, { retryable: true });
  }
  if (isThisMachine(target.baseUrl)) {
    const permission = page.secure
      ? ' Chrome and Edge need permission for the local network. Safari never lets an https page call this machine.'
      : ' If the browser asks whether this page may reach the local network, allow it.';
    const message = `No answer from ${host}. Is the server running? ${allowThisPage(target, page.origin)}${permission}`;
    return fault('unreachable', message, { retryable: true });
  }
  if (!page.online)
    return fault('offline', `Couldn’t reach ${host}, because this device is offline. Reconnect, then try again.`, {
      retryable: true,
    });
  if (page.secure && target.baseUrl.startsWith('http://'))
    return fault(
      'bad-address',
      `This page was loaded over https, so the browser blocks calls to ${host} over http. Use the server's https address, or open Podium from http://localhost.`,
    );
  const message = `Couldn’t reach ${host}. Check the address, then the key. Some servers hide that a key is wrong, or refuse calls from web pages (CORS).`;
  return fault('unreachable', message, { retryable: true });
}

/** How to make a server on this machine accept calls from this page. */
export function allowThisPage({ preset }: Target, origin: string): string {
  const page = origin === '' ? "this page's address" : origin;
  if (preset.allowPage) return preset.allowPage(page);
  return `It must allow this page (CORS). For Ollama, set OLLAMA_ORIGINS=${page} and restart Ollama. For LM Studio, run lms server start --cors.`;
}
