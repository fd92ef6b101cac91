/**
 * @file Wraps the `openai` package, which builds requests. No other file imports the package's code, and this
 * file is lazy-loaded. The package's retries, headers and time limit are disabled, because Podium has its own. Podium counts
 * every attempt and sends only necessary headers. Podium's time limits also cover a stream that stalls. Podium reads replies
 * itself (see `server-events.ts`), because many servers deviate from the format that the package expects.
 */
import { APIError, OpenAI } from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { FaultError } from '../../core/contract';
import { guardedFetch, HttpRefusal, type Fetch } from './guarded-fetch';
import type { Target } from './target';

/** The longest possible timer, in ms (about 25 days). It disables the package's time limit. */
const NEVER = 2 ** 31 - 1;

function clientFor(target: Target, fetch: Fetch | undefined, purpose?: 'models'): OpenAI {
  return new OpenAI({
    baseURL: target.baseUrl,
    // The package requires a key. If the target has none, `guardedFetch` removes the header with this key.
    apiKey: target.key ?? 'none',
    organization: null,
    project: null,
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    timeout: NEVER,
    logLevel: 'off',
    fetch: guardedFetch(target, fetch, purpose),
  });
}

/** Sends a call. Resolves when the response's headers have arrived. Rejects if the response has an error status. */
export function openCompletion(
  target: Target,
  body: ChatCompletionCreateParams,
  fetch: Fetch | undefined,
  signal: AbortSignal,
): Promise<Response> {
  return clientFor(target, fetch).chat.completions.create(body, { signal }).asResponse();
}

/** Requests a page of the list of models. Rejects if the response has an error status. */
export function openModels(
  target: Target,
  query: Readonly<Record<string, string>>,
  fetch: Fetch | undefined,
  signal: AbortSignal,
): Promise<Response> {
  return clientFor(target, fetch, 'models')
    .models.list({ query: { ...query }, signal })
    .asResponse();
}

/** An error that the package threw, as plain data. */
export type Refusal =
  | { readonly kind: 'http'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly kind: 'thrown'; readonly thrown: unknown };

/** Reads an error that the package threw. The package wraps the errors of `fetch`. */
export function readRefusal(thrown: unknown): Refusal {
  const cause = thrown instanceof APIError ? thrown.cause : thrown;
  if (cause instanceof HttpRefusal) {
    const { status, headers, body } = cause;
    return { kind: 'http', status, headers, body };
  }
  return { kind: 'thrown', thrown: cause instanceof FaultError || cause instanceof TypeError ? cause : thrown };
}
