/** @file Checks the address that the user entered for a worker, corrects common mistakes, and explains the others. */
import { fault, type AddressCheck } from '../../core/contract';
import { isThisMachine } from './target';

/** Ends of addresses that calls add to the base URL, and ends of Ollama’s own API. */
const ENDPOINTS =
  /(^\/api\/(chat|generate|tags|embed(dings)?)|\/(chat\/completions|completions|chat|responses|messages|embeddings|models(\/.*)?))$/;
/** Hosts that can’t be called. Servers print them to say that they listen on every network. */
const UNSPECIFIED: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };
const LOCAL_NAME = /^(\[.*\]|[\d.]+|[^.]+)$|\.(local|localhost|localdomain|lan|internal|intranet|home|home\.arpa)$/;

/**
 * Checks and normalizes the base URL of an OpenAI-compatible server. Adds a missing scheme: http for IP addresses and for names
 * of this machine or a local network, otherwise https. Finds the address in a pasted command, and removes the end of a known
 * endpoint, such as `/chat/completions`.
 */
export function checkAddress(typed: string): AddressCheck {
  const text = addressIn(typed);
  if (text === '') return refuse('Enter the address of the server, for example http://localhost:11434/v1.');
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text);
  if (!URL.canParse(address)) return refuse(`${shown(text)} is not an address. Enter one like https://host/v1.`);

  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('The address must start with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    return refuse('The address contains a user name or password. Remove them and enter the key in its own field.');
  if (url.search !== '' || url.hash !== '')
    return refuse('The address must not contain “?” or “#”. If a key follows them, enter it in its own field.');
  const problem = incomplete(address);
  if (problem) return refuse(problem);

  const unspecified = url.hostname;
  url.hostname = UNSPECIFIED[unspecified] ?? unspecified;
  const path = trimmed(trimmed(url.pathname.replace(/\/{2,}/g, '/')).replace(ENDPOINTS, ''));
  const baseUrl = `${url.origin}${path}`;
  const isReplaced = url.hostname !== unspecified;
  return { ok: true, baseUrl, hint: isReplaced ? replacedHint(unspecified, baseUrl) : hintFor(baseUrl, path) };
}

/** The address in what the user typed or pasted, for example in a `curl` command or in quotes. Repairs the scheme. */
function addressIn(typed: string): string {
  const [quoted] = /https?:\/\/[^\s"'`<>\\]+/i.exec(typed) ?? [];
  const text = (quoted ?? typed.replace(/^\s*curl\s+/i, ''))
    .replace(/([:/])\s+/g, '$1')
    .replace(/(?<!\s)\s+(?=[:/])/g, '')
    .replace(/^[\s"'`<(]+/, '')
    .replace(/(?<![\s"'`>),;.])[\s"'`>),;.]+$/, '')
    .replace(/^(https?:\/\/)+(?=https?:\/\/)/i, '');
  return text
    .replace(/^(https?)(?:[:;]?[/\\]+|:(?!\d+(?:\/|$)))/i, '$1://')
    .replace(/^\/+/, '')
    .replace(/^(?=:\d)/, 'localhost');
}

function withScheme(text: string): string {
  const http = `http://${text}`;
  const isLocal = URL.canParse(http) && LOCAL_NAME.test(new URL(http).hostname) && !/:\d*443(\/|$)/.test(text);
  return isLocal ? http : `https://${text}`;
}

/** Why an address is only the beginning of an address. A browser would complete it differently from what the user means. */
function incomplete(address: string): string | null {
  const [, host = ''] = /^[^/]*\/\/([^/]*)/.exec(address) ?? [];
  if (host.endsWith(':')) return 'The port is missing after “:”. Enter it, or remove the “:”.';
  const [name = ''] = host.split(':');
  if (!/^\d+(\.\d+){0,2}\.?$/.test(name)) return null;
  return `“${name}” is not a complete IP address. Enter all four numbers, for example 192.168.1.5.`;
}

function trimmed(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function replacedHint(host: string, baseUrl: string): string {
  return `${host} can’t be called, so Podium uses ${baseUrl}, which is this machine. If the server runs on another machine, enter that machine’s address.`;
}

function hintFor(baseUrl: string, path: string): string | null {
  if (baseUrl.startsWith('http://') && !isThisMachine(baseUrl))
    return 'This address is not encrypted. Others on the network can read what is sent, including the key. Use https if the server supports it.';
  if (path === '') return `Most servers use /v1. If this one doesn’t answer, try ${baseUrl}/v1.`;
  return null;
}

/** A text that is no address may be a pasted command with a key, so only short texts without spaces are repeated. */
function shown(text: string): string {
  return /\s/.test(text) ? 'This text' : `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
}

function refuse(message: string): AddressCheck {
  return { ok: false, fault: fault('bad-address', message) };
}
