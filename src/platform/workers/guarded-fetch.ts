/**
 * @file The only `fetch` that sends the keys and the extra headers of connections. It sends them only to their own origin. It sends no
 * cookies and no referrer. It also removes unneeded headers of the HTTP client, because several providers refuse calls with
 * unknown headers.
 */
import { fault, FaultError, originOf, parseJson } from '../../core/contract';
import { isAllowedHeader } from '../../core/contract/worker/connection-extras';
import { readStart } from './read-text';
import { LONGEST_REFUSAL } from './reply-limits';
import { hostOf, originOfTarget, type Target } from './target';

const ALLOWED_HEADERS = ['authorization', 'content-type', 'accept'];

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const pageFetch: Fetch = (url, init) => fetch(url, init);

/**
 * An error response. It is thrown, because the HTTP client keeps only the field `error` of an error response, and many servers
 * report their errors in other fields.
 */
export class HttpRefusal extends Error {
  /** @param body the decoded JSON, or the text if it is not JSON */
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: unknown,
  ) {
    super(`HTTP ${status}`);
  }
}

/**
 * Creates a `fetch` for the origin of one target. It rejects with an `Error` for an address of another origin, with a
 * `FaultError` (`bad-address`) if the server redirects, and with an `HttpRefusal` if the server responds with an error status.
 */
export function guardedFetch(
  target: Target,
  inner: Fetch = pageFetch,
  purpose: 'completion' | 'models' = 'completion',
): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const origin = originOfTarget(target);
    if (origin === '' || originOf(url) !== origin) throw new Error('A call to another origin was blocked.');
    const response = await inner(withQuery(url, target), {
      method: init?.method ?? 'GET',
      body: init?.body ?? null,
      signal: init?.signal ?? null,
      headers: allowedHeaders(new Headers(init?.headers), target, purpose),
      // Redirects are not followed, so that no key reaches another origin. With `manual`, unlike `error`, a redirect can be
      // distinguished from a failed connection.
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw redirected(target);
    if (!response.ok) throw await refusalOf(response);
    return response;
  };
}

/** The address with the connection's query parameters. A parameter of the request itself takes precedence. */
function withQuery(address: string, { extras = {} }: Target): string {
  const added = Object.entries(extras).filter(([name]) => name.startsWith('?'));
  if (added.length === 0) return address;
  const url = new URL(address);
  for (const [name, value] of added) {
    if (!url.searchParams.has(name.slice(1))) url.searchParams.set(name.slice(1), value);
  }
  return url.href;
}

/** The headers to send: the allowed headers of the HTTP client, of the provider's preset, and of the connection. */
function allowedHeaders(
  wanted: Headers,
  { preset, key, extras = {} }: Target,
  purpose: 'completion' | 'models',
): Headers {
  const headers = new Headers(preset.headers);
  for (const name of ALLOWED_HEADERS) {
    const value = wanted.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (key === null) headers.delete('authorization');
  for (const [name, value] of Object.entries(extras)) {
    if (!name.startsWith('?') && isAllowedHeader(name, key !== null)) headers.set(name, value);
  }
  if (purpose === 'models') {
    for (const [name, value] of Object.entries(preset.models.headers)) headers.set(name, value);
    if (key !== null && preset.models.keyHeader === 'x-api-key') {
      headers.delete('authorization');
      headers.set('x-api-key', key);
    }
  }
  return headers;
}

/** Reads at most `LONGEST_REFUSAL` bytes of the body. */
async function refusalOf(response: Response): Promise<HttpRefusal> {
  const { text } = await readStart(response, LONGEST_REFUSAL);
  return new HttpRefusal(response.status, response.headers, parseJson(text) ?? text);
}

function redirected(target: Target): FaultError {
  const message = `${hostOf(target.baseUrl)} redirects the call to another address. Podium doesn’t follow redirects, to protect the key. Enter the final address under Workers.`;
  return new FaultError(fault('bad-address', message));
}
