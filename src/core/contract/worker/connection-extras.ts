/**
 * @file The extra headers and query parameters of a connection, such as Azure's `api-key` and `?api-version`. Their values are kept
 * with the key, so they are bound to its origin, and are in no file. The contract's index doesn't export this file, because only
 * calls and the connection's form need it.
 */
import { parseJson } from '../parse-json';
import { extrasIdOf, keyIdOf } from './connection';
import type { Extras, KeySource, WorkerSetup } from './setup';

/** Headers that Podium or the browser sets, or that carry another identity than the key. In lower case. */
const FORBIDDEN =
  /^(?:host|cookie2?|set-cookie|origin|referer|referrer-policy|content-.*|accept|accept-charset|accept-encoding|access-control-.*|connection|date|dnt|expect|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*)$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Maximum characters of a name and of a value. No server accepts longer headers. */
const LONGEST = 8192;

/** Whether a header may be sent. A second `authorization` may not. @param name in lower case */
export function isAllowedHeader(name: string, hasKey: boolean): boolean {
  return HEADER.test(name) && !FORBIDDEN.test(name) && !(hasKey && name === 'authorization');
}

/** Why an extra can't be sent. `null`: it can be sent. */
export function extraProblem(name: string, value: string, hasKey: boolean): string | null {
  if (name.length > LONGEST || value.length > LONGEST) return `“${name.slice(0, 40)}” is too long.`;
  if (name.startsWith('?')) return /^\?[\w.~-]+$/.test(name) ? null : `“${name}” is no name of a query parameter.`;
  if (!HEADER.test(name)) return `“${name}” is no name of a header.`;
  if (!isAllowedHeader(name, hasKey)) return `The header “${name}” can’t be set here.`;
  return /^[\x20-\x7e]*$/.test(value) ? null : `The value of “${name}” contains an invalid character.`;
}

/** Names in lower case, as they are stored. Names of query parameters keep their case. */
export function extraNameOf(typed: string): string {
  const name = typed.trim().replace(/:$/, '');
  return name.startsWith('?') ? name.replace(/=$/, '') : name.toLowerCase();
}

type Server = Pick<WorkerSetup, 'id' | 'connection'>;

/** The extras of a connection for an origin. `null`: there are none, or their values must be entered again. */
export function readExtras(keys: KeySource, server: Server, origin: string): Extras | null {
  const read = parseJson(keys.get(extrasIdOf(keyIdOf(server)), origin) ?? '');
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
  const entries = Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Keeps the extras for an origin. No extras: forgets them. */
export function keepExtras(keys: KeySource, connection: string, origin: string, extras: Extras): void {
  const id = extrasIdOf(connection);
  if (Object.keys(extras).length === 0) keys.forget(id);
  else keys.set(id, origin, JSON.stringify(extras));
}
