/**
 * @file Creates the services for API keys: the keys in memory, the vault that can store keys, and the
 * sign-in with OpenRouter.
 */
import type { KeyServices } from '../app/services';
import { loadOnce, toFault, type SignInOutcome } from '../core/contract';
import { createKeyVault } from '../platform/store/vault';
import { createMemoryKeys } from '../platform/workers/keys';
import { openrouter } from '../platform/workers/providers/openrouter';
import type { StorageParts } from './storage';

/** Where older versions stored the key of the sign-in. */
const SIGN_IN_KEY = { id: `provider:${openrouter.id}`, baseUrl: openrouter.baseUrl };

/** Creates the services. If the page has just returned from a sign-in, also completes the sign-in. */
export function composeKeys({
  database,
  setups,
  connections,
}: Pick<StorageParts, 'database' | 'setups' | 'connections'>): KeyServices {
  const vault = createKeyVault(database);
  const keys = createMemoryKeys(vault);
  const signIn = loadOnce(async () => (await import('./sign-in')).createSignIn(connections, keys), 'the sign-in');
  const adoption = loadOnce(() => import('../platform/store/adopt-keys'), 'the part that unlocks keys');
  const isReturning = /[?&](?:code|error)=/.test(location.search);
  return {
    keys,
    vault,
    passkeys: loadOnce(async () => (await import('./passkeys')).createPasskeys(), 'the passkeys'),
    signIn: {
      start: async () => (await signIn()).start(),
      outcome: isReturning ? signIn().then(({ outcome }) => outcome, failed) : Promise.resolve(null),
    },
    async adoptKeys() {
      const { adoptKeys } = await adoption();
      return adoptKeys({ vault, setups, connections }, SIGN_IN_KEY);
    },
  };
}

function failed(thrown: unknown): SignInOutcome {
  return { ok: false, fault: toFault(thrown) };
}
