/**
 * @file The only file that imports the `openai` package. This file is lazy-loaded. The package builds the request and decodes the
 * stream. Its retries, its headers and its time limit are switched off. Podium counts every attempt, sends only the necessary
 * headers, and has time limits that also cover a silent stream.
 */
import { APIError, OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { Stream } from 'openai/streaming';
import { FaultError } from '../../core/contract';
import { guardedFetch, type Fetch } from './guarded-fetch';
import type { Target } from './target';

/** The longest possible timer, ms. In practice, such a timer never fires. */
const NEVER = 2 ** 31 - 1;

function clientFor(target: Target, fetch: Fetch | undefined, purpose?: 'models'): OpenAI {
  return new OpenAI({
    baseURL: target.baseUrl,
    // The package requires a key. The guarded fetch removes the key's header if the target has no key.
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

/** Sends a call. Resolves when the answer's headers have arrived. Rejects if the answer is not a success. */
export function openCompletion(
  target: Target,
  body: ChatCompletionCreateParamsStreaming,
  fetch: Fetch | undefined,
  signal: AbortSignal,
): Promise<Response> {
  return clientFor(target, fetch).chat.completions.create(body, { signal }).asResponse();
}

/** Requests the list of models. Rejects if the answer is not a success. */
export function openModels(target: Target, fetch: Fetch | undefined, signal: AbortSignal): Promise<Response> {
  return clientFor(target, fetch, 'models').models.list({ signal }).asResponse();
}

/**
 * Decodes server-sent events to their data. Ends normally after `[DONE]`, at the end of the body, or when the controller aborts.
 * Throws for an error event and for data that is not JSON. If the caller leaves its `for await` loop early, the controller is
 * aborted.
 */
export function decodeStream(target: Target, response: Response, controller: AbortController): AsyncIterable<unknown> {
  // Without a client, the package would log a warning to the console.
  return Stream.fromSSEResponse<unknown>(response, controller, clientFor(target, undefined));
}

/** An error that the package threw, as plain data. */
export type Refusal =
  | { readonly kind: 'http'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** An error event inside a stream. */
  | { readonly kind: 'stream'; readonly body: unknown }
  | { readonly kind: 'thrown'; readonly thrown: unknown };

export function readRefusal(thrown: unknown): Refusal {
  if (!(thrown instanceof APIError)) return { kind: 'thrown', thrown };
  const { status, headers, error, cause, message } = thrown;
  if (status !== undefined && headers !== undefined)
    return { kind: 'http', status, headers, body: error ?? message.replace(`${status} `, '') };
  if (error !== undefined) return { kind: 'stream', body: error };
  return { kind: 'thrown', thrown: cause instanceof FaultError || cause instanceof TypeError ? cause : thrown };
}
