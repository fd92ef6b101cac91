/** @file Decides who may use the server: clients that send the token or, if there is no token, processes on this machine. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error';

export interface Access {
  readonly host: string;
  /** `null` if no token is needed. Then only this machine can reach the server. */
  readonly token: string | null;
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * If a token is needed, throws an `ApiError` (401) for a request without the right token. If no token is needed,
 * throws an `ApiError` (403) for a request whose host name is unknown. The known names are the server's own and
 * loopback names.
 */
export function checkAccess({ headers }: IncomingMessage, { host, token }: Access): void {
  if (token !== null) {
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

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/** Compares two texts in constant time, so that the time reveals nothing about the token. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
