/**
 * @file Gets an API key from OpenRouter by OAuth with PKCE, so that the user doesn't need to paste a key. OpenRouter redirects
 * back to Podium with a code, and Podium exchanges the code for a key. The exchange also needs the PKCE verifier, which the
 * session storage of this tab keeps until then.
 */
import {
  fault,
  FaultError,
  toFault,
  type Clock,
  type Fault,
  type SignIn,
  type SignInOutcome,
} from '../../core/contract';
import type { Fetch } from './guarded-fetch';

const PAGE = 'https://openrouter.ai/auth';
const VERIFIER = 'podium.openrouter-verifier';
const VERIFIER_BYTES = 32;

/** The browser features that the sign-in uses. */
export interface Place {
  /** The current address. */
  readonly url: string;
  /** Replaces the current history entry without loading the new address. */
  replace(url: string): void;
  /** Navigates to another page. */
  leave(url: string): void;
  /** Session storage. The browser deletes it when the tab closes. */
  readonly storage: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
}

export interface SignInOptions {
  readonly place: Place;
  readonly clock: Clock;
  /** Called with the new key. */
  readonly keep: (key: string) => Promise<void>;
  /** The URL hash of the page to show after the sign-in. */
  readonly backTo: string;
  readonly fetch?: Fetch;
}

/**
 * Creates the sign-in. If the user has just returned from OpenRouter, also removes the code from the address and completes the
 * sign-in.
 */
export function createOpenRouterSignIn(options: SignInOptions): SignIn {
  const { place } = options;
  return {
    outcome: finish(options),
    async start() {
      if (globalThis.isSecureContext === false) {
        const message = 'You can only sign in over https or on localhost. Enter a key instead.';
        throw new FaultError(fault('bad-address', message));
      }
      const verifier = base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
      const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
      place.storage.setItem(VERIFIER, verifier);
      const { origin, pathname } = new URL(place.url);
      const query = new URLSearchParams({
        callback_url: origin + pathname,
        code_challenge: base64url(new Uint8Array(challenge)),
        code_challenge_method: 'S256',
      });
      place.leave(`${PAGE}?${query}`);
    },
  };
}

function finish(options: SignInOptions): Promise<SignInOutcome | null> {
  const { place, backTo } = options;
  const url = new URL(place.url);
  const code = url.searchParams.get('code');
  const refused = url.searchParams.get('error');
  if (code === null && refused === null) return Promise.resolve(null);
  const verifier = place.storage.getItem(VERIFIER);
  place.storage.removeItem(VERIFIER);
  place.replace(url.origin + url.pathname + (verifier === null ? url.hash : backTo));
  // Ignores a code that this tab did not request, because the code may belong to another person's account.
  if (verifier === null) return Promise.resolve(null);
  if (code === null) return Promise.resolve({ ok: false, fault: notAllowed() });
  return exchanged(code, verifier, options)
    .then(async (key): Promise<SignInOutcome> => {
      await options.keep(key);
      return { ok: true };
    })
    .catch((thrown: unknown): SignInOutcome => ({ ok: false, fault: toFault(thrown) }));
}

/** Lazy-loads the module for the exchange, because only a page that returns from a sign-in needs it. */
async function exchanged(code: string, verifier: string, options: SignInOptions): Promise<string> {
  const { exchange } = await import('./openrouter-exchange').catch(() => {
    throw new FaultError(notLoaded());
  });
  return exchange(code, verifier, options);
}

function notAllowed(): Fault {
  return fault('forbidden', 'OpenRouter was not allowed to create a key for this page. Sign in again, or enter a key.');
}

function notLoaded(): Fault {
  return fault('unreachable', 'Couldn’t finish the sign-in. Sign in again, or enter a key.', { retryable: true });
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
