/**
 * @file The vault stores API keys across visits. Each key is encrypted in its own record. While the vault is unlocked, this
 * module holds the decrypted keys in memory. A change in one tab, for example locking the vault, takes effect in every tab.
 */
import * as z from 'zod/mini';
import { fault, FaultError, loadOnce, type KeyVault, type VaultState } from '../../core/contract';
import { checkPassphrase } from './check-passphrase';
import type { Database } from './database';
import type { OpenedVault } from './vault-crypto';
import { entryShape, headerShape, type VaultEntry, type VaultHeader } from './vault-records';

/** Lazy-loads the encryption code, because most visits don't open the vault. */
const loadCrypto = loadOnce(() => import('./vault-crypto'), 'the part that encrypts keys');

/** The header's key in the database. */
export const VAULT_HEADER = 'header';
/** Each API key is stored under this prefix followed by the id of its worker. */
export const KEY_PREFIX = 'key:';

interface BoundKey {
  readonly origin: string;
  readonly key: string;
}

interface Opened extends OpenedVault {
  readonly keys: Map<string, BoundKey>;
  /** Ids of the workers whose records could not be decrypted. */
  readonly unreadable: readonly string[];
}

interface Stored {
  /** Not validated. `undefined` if there is no vault. */
  readonly header: unknown;
  readonly entries: readonly unknown[];
  readonly ids: readonly string[];
}

export interface StoredKeyVault extends KeyVault {
  close(): void;
}

/** @param channelName name of the channel that connects the tabs */
export function createKeyVault(database: Database, channelName = 'podium-vault'): StoredKeyVault {
  const listeners = new Set<(state: VaultState) => void>();
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : null;
  let exists = false;
  let ids: ReadonlySet<string> = new Set();
  let opened: Opened | null = null;
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

  function read(): Promise<Stored> {
    return database.transact(['vault'], 'readonly', async (transaction) => {
      const store = transaction.objectStore('vault');
      const range = IDBKeyRange.bound(KEY_PREFIX, `${KEY_PREFIX}\uffff`);
      const [header, entries, keys] = await Promise.all([
        store.get(VAULT_HEADER),
        store.getAll(range),
        store.getAllKeys(range),
      ]);
      return { header, entries, ids: keys.map((key) => key.slice(KEY_PREFIX.length)) };
    });
  }

  async function refresh(): Promise<void> {
    const before = stateNow();
    const stored = await read();
    exists = stored.header !== undefined;
    ids = new Set(stored.ids);
    const header = z.safeParse(headerShape, stored.header);
    if (opened && (!header.success || header.data.id !== opened.header.id)) opened = null;
    const vault = opened;
    if (vault) {
      const { keys, unreadable } = await openEntries(vault, stored);
      // The vault may have been locked while the entries were decrypted.
      if (opened === vault) opened = { ...vault, keys: new Map([...keys, ...unstored]), unreadable };
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

  /**
   * Writes an entry. @returns `false` if nothing was written, because another tab has changed the passphrase
   * or deleted all keys
   */
  function write(vault: OpenedVault, entry: VaultEntry): Promise<boolean> {
    return database.transact(
      ['vault'],
      'readwrite',
      async (transaction) => {
        const store = transaction.objectStore('vault');
        const header = z.safeParse(headerShape, await store.get(VAULT_HEADER));
        if (!header.success || header.data.id !== vault.header.id) return false;
        await store.put(entry, KEY_PREFIX + entry.id);
        return true;
      },
      'strict',
    );
  }

  async function unseal(passphrase: string): Promise<{ vault: OpenedVault; stored: Stored }> {
    const stored = await read();
    const header = readHeader(stored);
    const vault = await (await loadCrypto()).openVault(header, passphrase);
    if (!vault) throw new FaultError(fault('unauthorized', 'The passphrase is wrong.'));
    return { vault, stored };
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

    create(passphrase) {
      const before = lockCount;
      return inTurn(async () => {
        await checkPassphrase(passphrase);
        const vault = await (await loadCrypto()).newVault(passphrase);
        const made = await database.transact(
          ['vault'],
          'readwrite',
          async (transaction) => {
            const store = transaction.objectStore('vault');
            if ((await store.get(VAULT_HEADER)) !== undefined) return false;
            await store.put(vault.header, VAULT_HEADER);
            return true;
          },
          'strict',
        );
        exists = true;
        if (!made) {
          notify();
          throw new FaultError(
            fault('storage-failed', 'This browser already stores keys. Unlock them with their passphrase.'),
          );
        }
        if (lockCount === before) opened = { ...vault, keys: new Map(), unreadable: [] };
        ids = new Set();
        channel?.postMessage('changed');
        notify();
      });
    },

    unlock(passphrase) {
      const before = lockCount;
      return inTurn(async () => {
        const { vault, stored } = await unseal(passphrase);
        const { keys, unreadable } = await openEntries(vault, stored);
        if (lockCount !== before) throw new FaultError(lockedMeanwhile());
        opened = { ...vault, keys, unreadable };
        exists = true;
        ids = new Set(stored.ids);
        notify();
        return unreadable;
      });
    },

    lock() {
      channel?.postMessage('lock');
      discardKeys();
    },

    changePassphrase(before, after) {
      const locksBefore = lockCount;
      return inTurn(async () => {
        await checkPassphrase(after);
        const { vault, stored } = await unseal(before);
        const { keys } = await openEntries(vault, stored);
        const next = await (await loadCrypto()).newVault(after);
        const { sealKey } = await loadCrypto();
        const entries = await Promise.all([...keys].map(([id, { origin, key }]) => sealKey(next, id, origin, key)));
        const kept = await database.transact(
          ['vault'],
          'readwrite',
          async (transaction) => {
            const store = transaction.objectStore('vault');
            const now = await store.getAll();
            if (!isSame(now, [...stored.entries, stored.header])) return false;
            await store.clear();
            await store.put(next.header, VAULT_HEADER);
            await Promise.all(entries.map((entry) => store.put(entry, KEY_PREFIX + entry.id)));
            return true;
          },
          'strict',
        );
        if (!kept) throw new FaultError(changedMeanwhile());
        opened = lockCount === locksBefore ? { ...next, keys, unreadable: [] } : null;
        ids = new Set(keys.keys());
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
      if (!vault) return Promise.reject(new FaultError(fault('unauthorized', 'Keys are locked. Unlock them first.')));
      const bound = { origin, key };
      vault.keys.set(id, bound);
      unstored.set(id, bound);
      return inTurn(async () => {
        const entry = await (await loadCrypto()).sealKey(vault, id, origin, key);
        if (!(await write(vault, entry))) {
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

function readHeader({ header }: Stored): VaultHeader {
  if (header === undefined)
    throw new FaultError(fault('storage-failed', 'No keys are stored in this browser. Enter them again.'));
  const parsed = z.safeParse(headerShape, header);
  if (parsed.success) return parsed.data;
  const message =
    'This version of Podium can’t read the stored keys. Reload the page. If that doesn’t help, forget them and enter them again.';
  throw new FaultError(fault('storage-failed', message));
}

async function openEntries(vault: OpenedVault, { entries, ids }: Stored) {
  const keys: Opened['keys'] = new Map();
  const unreadable: string[] = [];
  for (const [index, id] of ids.entries()) {
    const entry = z.safeParse(entryShape, entries[index]);
    const key = entry.success && entry.data.id === id ? await (await loadCrypto()).openKey(vault, entry.data) : null;
    if (entry.success && key !== null) keys.set(id, { origin: entry.data.origin, key });
    else unreadable.push(id);
  }
  return { keys, unreadable };
}

/** Whether two reads returned the same records. Detects any write between them, because each write uses a fresh IV. */
function isSame(now: readonly unknown[], before: readonly unknown[]): boolean {
  const print = (records: readonly unknown[]) => JSON.stringify(records.map((record) => JSON.stringify(record)).sort());
  return print(now) === print(before);
}

function lockedMeanwhile() {
  return fault('storage-failed', 'The keys were locked in the meantime. Unlock them again.', { retryable: true });
}

function changedMeanwhile() {
  const message = 'The keys were changed in another tab. Unlock them, then try again.';
  return fault('storage-failed', message, { retryable: true });
}
