/** @file Exchanges the authorization code from OpenRouter for an API key. */
import * as z from 'zod/mini';
import { fault, FaultError, type Clock, type Fault } from '../../core/contract';
import type { Fetch } from './guarded-fetch';
import { pageState } from './page-state';
import { waitAtMost } from './patience';

z.config({ jitless: true });

const KEYS = 'https://openrouter.ai/api/v1/auth/keys';
const LONGEST_WAIT = 20_000;
const answerShape = z.object({ key: z.string().check(z.minLength(1)) });

export interface ExchangeOptions {
  readonly clock: Clock;
  /** Default: the browser's `fetch`. */
  readonly fetch?: Fetch;
}

/**
 * Returns the key. Rejects with a `FaultError` if the exchange fails.
 * @param verifier the PKCE verifier that this tab created for the sign-in
 */
export async function exchange(code: string, verifier: string, options: ExchangeOptions): Promise<string> {
  const { clock, fetch: inner = (url: string, init: RequestInit) => fetch(url, init) } = options;
  const over = new AbortController();
  try {
    return await waitAtMost(trade(code, verifier, inner, over.signal), LONGEST_WAIT, late, clock);
  } finally {
    over.abort();
  }
}

async function trade(code: string, verifier: string, inner: Fetch, signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await inner(KEYS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: 'S256' }),
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal,
    });
  } catch {
    throw new FaultError(unreachable());
  }
  if (!response.ok) throw new FaultError(refusedWith(response.status));
  const answer = z.safeParse(answerShape, await response.json().catch(() => null));
  if (!answer.success) throw new FaultError(refusedWith(response.status));
  return answer.data.key;
}

function refusedWith(status: number): Fault {
  const message = 'OpenRouter returned no key. Sign in again, or enter a key.';
  return fault('unauthorized', message, { status });
}

function unreachable(): Fault {
  const message = pageState().online
    ? 'Couldn’t reach OpenRouter to finish the sign-in. Sign in again, or enter a key.'
    : 'Couldn’t finish the sign-in, because this device is offline. Reconnect, then sign in again.';
  return fault('unreachable', message, { retryable: true });
}

function late(): Fault {
  return fault('timeout', 'OpenRouter didn’t finish the sign-in in time. Sign in again, or enter a key.', {
    retryable: true,
  });
}
