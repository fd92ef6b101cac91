/**
 * @file The vault stores API keys across visits. Each key is encrypted in its own record. While the vault is unlocked, this
 * module holds the decrypted keys in memory. A change in one tab, for example locking the vault, takes effect in every tab.
 */
import { fault, FaultError, loadOnce, type KeyVault, type VaultState } from '../../core/contract';
import type { Database } from './database';
import type { BoundKey, UnlockedVault } from './stored-vault';
import { KEY_PREFIX, VAULT_HEADER } from './vault-places';

/** Lazy-loads the code that encrypts, because most visits don't open the vault. */
const loadStored = loadOnce(() => import('./stored-vault'), 'the part that encrypts keys');

export interface StoredKeyVault extends KeyVault {
  close(): void;
}

/** @param channelName name of the channel that connects the tabs */
export function createKeyVault(database: Database, channelName = 'podium-vault'): StoredKeyVault {
  const listeners = new Set<(state: VaultState) => void>();
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : null;
  let exists = false;
  let ids: ReadonlySet<string> = new Set();
  let opened: UnlockedVault | null = null;
  /**
   * Keys that this tab has but has not stored yet, by worker id. When this tab reads the stored keys again, it keeps these keys
   * instead of the stored keys of the same workers.
   */
  const unstored = new Map<string, BoundKey>();
  /** Number of calls of `discardKeys`. If the number grows during an operation, the vault was locked during that operation. */
  let lockCount = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const stateNow = (): VaultState => (opened ? 'unlocked' : exists ? 'locked' : 'none');
  const notify = () => {
    for (const listener of listeners) listener(stateNow());
  };
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  async function refresh(): Promise<void> {
    const before = stateNow();
    const stored = await database.transact(['vault'], 'readonly', (transaction) =>
      transaction.objectStore('vault').getAllKeys(),
    );
    exists = stored.includes(VAULT_HEADER);
    ids = new Set(stored.flatMap((key) => (key.startsWith(KEY_PREFIX) ? [key.slice(KEY_PREFIX.length)] : [])));
    const vault = opened;
    if (vault) {
      const now = await (await loadStored()).rereadVault(database, vault);
      // The vault may have been locked while the entries were decrypted.
      if (opened === vault) opened = now && { ...now, keys: new Map([...now.keys, ...unstored]) };
    }
    if (exists || stateNow() !== before) notify();
  }

  function discardKeys(): void {
    lockCount += 1;
    unstored.clear();
    if (!opened) return;
    opened = null;
    notify();
  }

  /** Makes a change that only an unlocked vault allows. */
  function whileUnlocked(work: (vault: UnlockedVault) => Promise<void>): Promise<void> {
    return inTurn(async () => {
      if (!opened) throw new FaultError(locked());
      await work(opened);
      channel?.postMessage('changed');
      notify();
    });
  }

  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'lock') discardKeys();
    if (data === 'changed') void inTurn(refresh).catch(discardKeys);
  };
  channel?.addEventListener('message', onMessage);

  return {
    get state() {
      return stateNow();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: () => inTurn(refresh),

    locks: async () => (await loadStored()).locksOf(database),

    create(secret) {
      const before = lockCount;
      return inTurn(async () => {
        try {
          const vault = await (await loadStored()).createVault(database, secret);
          if (lockCount === before) opened = vault;
        } catch (thrown) {
          // Another tab may have created a vault.
          await refresh().catch(() => undefined);
          throw thrown;
        }
        exists = true;
        ids = new Set();
        channel?.postMessage('changed');
        notify();
      });
    },

    unlock(secret) {
      const before = lockCount;
      return inTurn(async () => {
        const vault = await (await loadStored()).unlockVault(database, secret);
        if (lockCount !== before) throw new FaultError(lockedMeanwhile());
        opened = vault;
        exists = true;
        ids = new Set([...vault.keys.keys(), ...vault.unreadable]);
        notify();
        return vault.unreadable;
      });
    },

    lock() {
      channel?.postMessage('lock');
      discardKeys();
    },

    addLock: (secret) => whileUnlocked(async (vault) => (await loadStored()).addLock(database, vault, secret)),
    removeLock: (id) => whileUnlocked(async (vault) => (await loadStored()).removeLock(database, vault, id)),

    changePassphrase(before, after) {
      const locksBefore = lockCount;
      return inTurn(async () => {
        const vault = await (await loadStored()).changePassphrase(database, before, after);
        opened = lockCount === locksBefore ? vault : null;
        ids = new Set([...vault.keys.keys(), ...vault.unreadable]);
        channel?.postMessage('changed');
        notify();
      });
    },

    forgetAll: () =>
      inTurn(async () => {
        await database.transact(
          ['vault'],
          'readwrite',
          (transaction) => transaction.objectStore('vault').clear(),
          'strict',
        );
        opened = null;
        exists = false;
        ids = new Set();
        channel?.postMessage('changed');
        notify();
      }),

    get(id, origin) {
      const bound = opened?.keys.get(id);
      return bound && origin !== '' && bound.origin === origin ? bound.key : null;
    },
    holds: (id) => opened?.keys.has(id) ?? ids.has(id),
    put(id, origin, key) {
      const vault = opened;
      if (!vault) return Promise.reject(new FaultError(locked()));
      const bound = { origin, key };
      vault.keys.set(id, bound);
      unstored.set(id, bound);
      return inTurn(async () => {
        const { storeKey, changedMeanwhile } = await loadStored();
        if (!(await storeKey(database, vault, id, bound))) {
          await refresh();
          throw new FaultError(changedMeanwhile());
        }
        if (unstored.get(id) === bound) unstored.delete(id);
        ids = new Set([...ids, id]);
        channel?.postMessage('changed');
      });
    },
    remove(id) {
      opened?.keys.delete(id);
      unstored.delete(id);
      return inTurn(async () => {
        await database.transact(['vault'], 'readwrite', (transaction) =>
          transaction.objectStore('vault').delete(KEY_PREFIX + id),
        );
        // While the deletion waited for its turn, a change in another tab may have made this tab load the key again.
        if (!unstored.has(id)) opened?.keys.delete(id);
        ids = new Set([...ids].filter((each) => each !== id));
        channel?.postMessage('changed');
      });
    },

    close() {
      channel?.removeEventListener('message', onMessage);
      channel?.close();
    },
  };
}

function locked() {
  return fault('unauthorized', 'Keys are locked. Unlock them first.');
}

function lockedMeanwhile() {
  return fault('storage-failed', 'The keys were locked in the meantime. Unlock them again.', { retryable: true });
}
