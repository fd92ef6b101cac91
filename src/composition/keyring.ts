/**
 * @file Puts together what has to do with keys: where they are, the vault they may lie in, and the sign-in that brings one.
 */
import { originOf, providerKeyId, type KeySource, type KeyVault, type SignIn } from '../core/contract';
import { systemClock } from '../platform/clock';
import type { Database } from '../platform/store/database';
import { createKeyVault } from '../platform/store/vault';
import { createMemoryKeys } from '../platform/workers/keys';
import { createOpenRouterSignIn, type Place } from '../platform/workers/openrouter-sign-in';
import { openrouter } from '../platform/workers/providers/openrouter';

export interface Keyring {
  readonly keys: KeySource;
  readonly vault: KeyVault;
  readonly signIn: SignIn;
}

/** Finishes a sign-in that this page was opened from: call before anything reads the page's address. */
export function createKeyring(database: Database): Keyring {
  const vault = createKeyVault(database);
  const keys = createMemoryKeys(vault);
  const signIn = createOpenRouterSignIn({
    place: thisTab,
    clock: systemClock,
    keep: (key) => keys.set(providerKeyId(openrouter.id), originOf(openrouter.baseUrl), key),
    backTo: '#/workers',
  });
  return { keys, vault, signIn };
}

const thisTab: Place = {
  get url() {
    return location.href;
  },
  replace(url) {
    history.replaceState(null, '', url);
    // Which page is shown was read from the address before this ran, and replacing it tells nobody.
    dispatchEvent(new HashChangeEvent('hashchange'));
  },
  leave: (url) => location.assign(url),
  // Looked up when it is used: where storage is switched off the very name throws.
  storage: {
    getItem: (name) => sessionStorage.getItem(name),
    setItem: (name, value) => sessionStorage.setItem(name, value),
    removeItem: (name) => sessionStorage.removeItem(name),
  },
};
