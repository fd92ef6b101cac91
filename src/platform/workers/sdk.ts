/**
 * @file Wraps the `openai` package, which builds requests and decodes streams. No other file imports the
 * package's code, and this file is lazy-loaded. The package's retries, headers and time limit are disabled,
 * because Podium has its own. Podium counts every attempt and sends only necessary headers. Podium's time
 * limits also cover a stream that stalls.
 */
import { APIError, OpenAI } from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { Stream } from 'openai/streaming';
import { FaultError } from '../../core/contract';
import { guardedFetch, type Fetch } from './guarded-fetch';
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

/**
 * Decodes the data of server-sent events. Ends without an error after `[DONE]`, at the end of the body, or when the controller
 * aborts. Throws for an error event and for data that is not JSON. Leaving the `for await` loop early aborts the controller.
 */
export function decodeStream(target: Target, response: Response, controller: AbortController): AsyncIterable<unknown> {
  // Without a client, the package would log invalid data to the console.
  return Stream.fromSSEResponse<unknown>(response, controller, clientFor(target, undefined));
}

/** An error that the package threw, as plain data. */
export type Refusal =
  | { readonly kind: 'http'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** An error event inside a stream. */
  | { readonly kind: 'stream'; readonly body: unknown }
  | { readonly kind: 'thrown'; readonly thrown: unknown };

/** Reads an error that the package threw. */
export function readRefusal(thrown: unknown): Refusal {
  if (!(thrown instanceof APIError)) return { kind: 'thrown', thrown };
  const { status, headers, error, cause, message } = thrown;
  if (status !== undefined && headers !== undefined)
    return { kind: 'http', status, headers, body: error ?? message.replace(`${status} `, '') };
  if (error !== undefined) return { kind: 'stream', body: error };
  return { kind: 'thrown', thrown: cause instanceof FaultError || cause instanceof TypeError ? cause : thrown };
}
