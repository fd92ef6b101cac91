/**
 * @file Reads the address a person typed for a worker, and says in a sentence what is wrong with it.
 */
import { fault, type AddressCheck } from '../../core/contract';
import { isThisMachine } from './target';

/**
 * Checks and normalises the base URL of an OpenAI-compatible server. A missing scheme is filled in (http for this machine,
 * else https), and the end of a pasted full address (`/chat/completions`, `/models`) is taken off.
 */
export function checkAddress(typed: string): AddressCheck {
  const text = typed.trim();
  if (text === '') return refuse('Enter the address of the server, for example http://localhost:11434/v1.');
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text);
  if (!URL.canParse(address)) return refuse(`“${shown(text)}” is not an address. Enter one like https://host/v1.`);

  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('The address must begin with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    return refuse('The address holds a user name or password. Leave them out and enter the key in its own field.');
  if (url.search !== '' || url.hash !== '')
    return refuse('The address must end before any “?” or “#”. If a key stands there, enter it in its own field.');

  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|models)$/, '');
  const baseUrl = `${url.origin}${path}`;
  return { ok: true, baseUrl, hint: hintFor(baseUrl, path) };
}

function withScheme(text: string): string {
  return isThisMachine(`http://${text}`) ? `http://${text}` : `https://${text}`;
}

function hintFor(baseUrl: string, path: string): string | null {
  if (baseUrl.startsWith('http://') && !isThisMachine(baseUrl))
    return 'This address is not encrypted: others on the network can read what is sent, the key included. Use https if the server offers it.';
  if (path === '') return `Most servers answer under /v1. If this one does not answer, try ${baseUrl}/v1.`;
  return null;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function refuse(message: string): AddressCheck {
  return { ok: false, fault: fault('bad-address', message) };
}
