/**
 * @file Creates the services for API keys: the keys in memory, the vault that can store keys, and the
 * sign-in with OpenRouter.
 */
import type { KeyServices } from '../app/services';
import { originOf, providerKeyId } from '../core/contract';
import { systemClock } from '../platform/clock';
import type { Database } from '../platform/store/database';
import { createKeyVault } from '../platform/store/vault';
import { createMemoryKeys } from '../platform/workers/keys';
import { createOpenRouterSignIn, type Place } from '../platform/workers/openrouter-sign-in';
import { openrouter } from '../platform/workers/providers/openrouter';

/**
 * Creates the services. If the page has just returned from a sign-in, also completes the sign-in and
 * removes the sign-in code from the address. Call this function before the app is mounted.
 */
export function composeKeys(database: Database): KeyServices {
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
    // `replaceState` fires no event, so this code fires one. Otherwise, the router would keep the old address
    // that it read when its module was imported.
    dispatchEvent(new HashChangeEvent('hashchange'));
  },
  leave: (url) => location.assign(url),
  // The functions access `sessionStorage` only when they are called, because this access throws an error
  // if the user has disabled storage.
  storage: {
    getItem: (name) => sessionStorage.getItem(name),
    setItem: (name, value) => sessionStorage.setItem(name, value),
    removeItem: (name) => sessionStorage.removeItem(name),
  },
};
