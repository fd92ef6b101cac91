/**
 * @file Creates the services for API keys: the keys in memory, the vault that can store keys, and the
 * sign-in with OpenRouter.
 */
import type { KeyServices } from '../app/services';
import { loadOnce, originOf, type Connection } from '../core/contract';
import { systemClock } from '../platform/clock';
import { createKeyVault } from '../platform/store/vault';
import { createMemoryKeys } from '../platform/workers/keys';
import { createOpenRouterSignIn, type Place } from '../platform/workers/openrouter-sign-in';
import { openrouter } from '../platform/workers/providers/openrouter';
import type { StorageParts } from './storage';

/**
 * Creates the services. If the page has just returned from a sign-in, also completes the sign-in and
 * removes the sign-in code from the address. Call this function before the app is mounted.
 */
export function composeKeys({
  database,
  setups,
  connections,
}: Pick<StorageParts, 'database' | 'setups' | 'connections'>): KeyServices {
  const vault = createKeyVault(database);
  const keys = createMemoryKeys(vault);
  const signIn = createOpenRouterSignIn({
    place: thisTab,
    clock: systemClock,
    keep: async (key) => {
      const { baseUrl } = openrouter;
      const same = (await connections.list()).filter((connection) => connection.baseUrl === baseUrl);
      const isFree = ({ id }: Connection) => keys.get(id, originOf(baseUrl)) === null;
      const connection = same.find(isFree) ?? { id: `connection:${crypto.randomUUID()}`, baseUrl, needsKey: true };
      await connections.put(connection);
      keys.set(connection.id, originOf(baseUrl), key);
    },
    backTo: '#/workers',
  });
  const adoption = loadOnce(() => import('../platform/store/adopt-keys'), 'the part that unlocks keys');
  return {
    keys,
    vault,
    signIn,
    async adoptKeys() {
      const { adoptKeys } = await adoption();
      return adoptKeys({ vault, setups, connections }, SIGN_IN_KEY);
    },
  };
}

/** Where older versions stored the key of the sign-in. */
const SIGN_IN_KEY = { id: `provider:${openrouter.id}`, baseUrl: openrouter.baseUrl };

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
