/** @file Decides who may use the server: clients that send the token or, if there is no token, processes on this machine. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './api-error';

export interface Access {
  readonly host: string;
  /** `null` if no token is needed. Then only this machine can reach the server. */
  readonly token: string | null;
  /** The origins whose web pages may use the server. Only with a token. */
  readonly origins: readonly string[];
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * If a token is needed, throws an `ApiError` (401) for a request without the right token. If no token is needed,
 * throws an `ApiError` (403) for a request whose host name is unknown. The known names are the server's own and
 * loopback names.
 * @param isPublic whether the request needs no token
 */
export function checkAccess({ headers }: IncomingMessage, { host, token }: Access, isPublic = false): void {
  if (token !== null) {
    if (isPublic) return;
    const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (!isSame(given, token)) {
      const message = 'The token is missing or wrong. Send “Authorization: Bearer …” with the value of PODIUM_TOKEN.';
      throw new ApiError(401, message, { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } });
    }
    return;
  }
  // Security: a web page could point its own host name to this machine (DNS rebinding), and then call this
  // server. Such a request has an unknown host name and is rejected.
  const name = nameOf(headers.host ?? '');
  if (name !== host && !isLoopback(name)) {
    throw new ApiError(403, `This server does not answer requests for ${name}. Set PODIUM_TOKEN to use other names.`);
  }
}

/**
 * Lets pages of the allowed origins read the response (CORS). Answers the preflight of such a page, which can't have the token.
 * @returns `preflight` if the request is answered
 */
export function allowOrigin(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { origins }: Pick<Access, 'origins'>,
): 'preflight' | null {
  if (origins.length === 0) return null;
  response.setHeader('vary', 'origin');
  const { origin } = headers;
  if (origin === undefined || !origins.includes(origin)) return null;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'x-request-id, retry-after');
  if (method !== 'OPTIONS') return null;
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-max-age': '600',
  });
  response.end();
  return 'preflight';
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/** Compares two texts in constant time, so that the time reveals nothing about the token. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
