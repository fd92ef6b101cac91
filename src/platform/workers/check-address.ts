/** @file Checks the address that the user entered for a worker, and explains problems. */
import { fault, type AddressCheck } from '../../core/contract';
import { isThisMachine } from './target';

/**
 * Checks and normalizes the base URL of an OpenAI-compatible server. Adds a missing scheme: http
 * for this machine, otherwise https. Removes `/chat/completions` or `/models` from the end.
 */
export function checkAddress(typed: string): AddressCheck {
  const text = typed.trim();
  if (text === '') return refuse('Enter the address of the server, for example http://localhost:11434/v1.');
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text);
  if (!URL.canParse(address)) return refuse(`“${shown(text)}” is not an address. Enter one like https://host/v1.`);

  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('The address must start with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    return refuse('The address contains a user name or password. Remove them and enter the key in its own field.');
  if (url.search !== '' || url.hash !== '')
    return refuse('The address must not contain “?” or “#”. If a key follows them, enter it in its own field.');

  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(chat\/completions|models)$/, '');
  const baseUrl = `${url.origin}${path}`;
  return { ok: true, baseUrl, hint: hintFor(baseUrl, path) };
}

function withScheme(text: string): string {
  return isThisMachine(`http://${text}`) ? `http://${text}` : `https://${text}`;
}

function hintFor(baseUrl: string, path: string): string | null {
  if (baseUrl.startsWith('http://') && !isThisMachine(baseUrl))
    return 'This address is not encrypted. Others on the network can read what is sent, including the key. Use https if the server supports it.';
  if (path === '') return `Most servers use /v1. If this one doesn’t answer, try ${baseUrl}/v1.`;
  return null;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function refuse(message: string): AddressCheck {
  return { ok: false, fault: fault('bad-address', message) };
}
