/** @file Composes the sign-in with OpenRouter. The page lazy-loads this file when it returns from OpenRouter, or when the user signs in. */
import { originOf, type Connection, type Connections, type KeySource, type SignIn } from '../core/contract';
import { systemClock } from '../platform/clock';
import { createOpenRouterSignIn, type Place } from '../platform/workers/openrouter-sign-in';
import { openrouter } from '../platform/workers/providers/openrouter';

/** Creates the sign-in. Its key belongs to the first connection to OpenRouter without a key, or to a new one. */
export function createSignIn(connections: Connections, keys: KeySource): SignIn {
  return createOpenRouterSignIn({
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
