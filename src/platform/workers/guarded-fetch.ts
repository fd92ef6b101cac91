/**
 * @file The only door through which a key leaves: to its own origin, in one header, with nothing else that could tell on the
 * user. It also keeps the HTTP client from adding headers, because several providers refuse a call whose headers they do not know.
 */
import { fault, FaultError, originOf } from '../../core/contract';
import { readStart } from './read-text';
import { LONGEST_REFUSAL } from './reply-limits';
import { hostOf, originOfTarget, type Target } from './target';

const ALLOWED_HEADERS = ['authorization', 'content-type', 'accept'];

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const pageFetch: Fetch = (url, init) => fetch(url, init);

/** A `fetch` for one target and no other. Throws a `FaultError` where the other side redirects. */
export function guardedFetch(
  target: Target,
  inner: Fetch = pageFetch,
  purpose: 'completion' | 'models' = 'completion',
): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const origin = originOfTarget(target);
    if (origin === '' || originOf(url) !== origin) throw new Error('A call was about to leave for another origin.');
    const response = await inner(url, {
      method: init?.method ?? 'GET',
      body: init?.body ?? null,
      signal: init?.signal ?? null,
      headers: allowedHeaders(new Headers(init?.headers), target, purpose),
      // Not followed, so that no key reaches another origin; unlike `error` this can be told from a broken connection.
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw redirected(target);
    return response.ok ? response : shortened(response);
  };
}

/** Of what the HTTP client wants to send only what is needed, and what the provider's preset adds. */
function allowedHeaders(wanted: Headers, { preset, key }: Target, purpose: 'completion' | 'models'): Headers {
  const headers = new Headers(preset.headers);
  for (const name of ALLOWED_HEADERS) {
    const value = wanted.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (key === null) headers.delete('authorization');
  if (purpose === 'models') {
    for (const [name, value] of Object.entries(preset.models.headers)) headers.set(name, value);
    if (key !== null && preset.models.keyHeader === 'x-api-key') {
      headers.delete('authorization');
      headers.set('x-api-key', key);
    }
  }
  return headers;
}

/** The HTTP client reads a refusal to its end, which may never come. */
async function shortened(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const { text } = await readStart(response, LONGEST_REFUSAL);
  return new Response(text, { status, statusText, headers });
}

function redirected(target: Target): FaultError {
  const message = `${hostOf(target.baseUrl)} sends the call on to another address. Podium does not follow, to keep the key where it belongs. Enter the final address under Workers.`;
  return new FaultError(fault('bad-address', message));
}
