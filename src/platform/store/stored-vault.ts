/**
 * @file Creates, opens and changes the vault in the database. This file is lazy-loaded, because most visits don't open the vault.
 * Each change is one transaction, so that an interrupted change leaves the vault as it was.
 */
import type { IDBPObjectStore } from 'idb';
import * as z from 'zod/mini';
import {
  fault,
  FaultError,
  PASSPHRASE_LOCK,
  SHORTEST_PASSPHRASE,
  type VaultLock,
  type VaultSecret,
} from '../../core/contract';
import type { Database } from './database';
import type { PodiumSchema } from './migrations';
import { newLock, newVault, openKey, openVault, sealKey, type OpenedVault } from './vault-crypto';
import { KEY_PREFIX, VAULT_HEADER } from './vault-places';
import {
  entryShape,
  headerShape,
  MOST_LOCKS,
  type OldVaultHeader,
  type StoredLock,
  type VaultEntry,
  type VaultHeader,
} from './vault-records';

z.config({ jitless: true });

export interface BoundKey {
  readonly origin: string;
  readonly key: string;
}

/** An opened vault with its decrypted keys. */
export interface UnlockedVault extends OpenedVault {
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

function read(database: Database): Promise<Stored> {
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

type VaultStore = IDBPObjectStore<PodiumSchema, ['vault'], 'vault', 'readwrite'>;

function change<Result>(database: Database, work: (store: VaultStore) => Promise<Result>): Promise<Result> {
  return database.transact(['vault'], 'readwrite', (transaction) => work(transaction.objectStore('vault')), 'strict');
}

/** What unlocks the stored vault. Empty if there is none. */
export async function locksOf(database: Database): Promise<readonly VaultLock[]> {
  const stored = await read(database);
  if (stored.header === undefined) return [];
  const header = readHeader(stored);
  if (header.version === 1) return [{ id: PASSPHRASE_LOCK, site: null, addedAt: null }];
  return header.locks.map((lock) =>
    lock.kind === 'passphrase'
      ? { id: PASSPHRASE_LOCK, site: null, addedAt: null }
      : { id: lock.id, site: lock.site, addedAt: lock.addedAt },
  );
}

/** Rejects with a `FaultError` if there is a vault already. */
export async function createVault(database: Database, secret: VaultSecret): Promise<UnlockedVault> {
  if (typeof secret === 'string') await checkPassphrase(secret);
  const vault = await newVault(secret);
  const isMade = await change(database, async (store) => {
    if ((await store.get(VAULT_HEADER)) !== undefined) return false;
    await store.put(vault.header, VAULT_HEADER);
    return true;
  });
  if (!isMade) {
    const message = 'This browser already stores keys. Unlock them with their passphrase or passkey.';
    throw new FaultError(fault('storage-failed', message));
  }
  return { ...vault, keys: new Map(), unreadable: [] };
}

/** Also gives the vault of an older version a random vault key, which the passphrase unlocks. */
export async function unlockVault(database: Database, secret: VaultSecret): Promise<UnlockedVault> {
  const { vault, stored } = await unseal(database, secret);
  const opened = { ...vault, ...(await openEntries(vault, stored)) };
  if (vault.header.version !== 1) return opened;
  const next = { ...(await newVault(secret)), keys: opened.keys, unreadable: opened.unreadable };
  try {
    if (await replace(database, stored, next)) return next;
  } catch {
    // The disk is full, for example. The keys stay readable, so this is tried again at the next unlock.
    return opened;
  }
  // Another tab has changed the vault since it was read.
  return unlockVault(database, secret);
}

/** Reads the stored keys again. `null`: the stored vault is gone, or is another one. */
export async function rereadVault(database: Database, vault: UnlockedVault): Promise<UnlockedVault | null> {
  const stored = await read(database);
  const header = z.safeParse(headerShape, stored.header);
  if (!header.success || header.data.id !== vault.header.id) return null;
  return { ...vault, ...(await openEntries(vault, stored)) };
}

/** @returns `false` if nothing was stored, because another tab has replaced the vault or deleted all keys */
export async function storeKey(
  database: Database,
  vault: OpenedVault,
  id: string,
  { origin, key }: BoundKey,
): Promise<boolean> {
  const entry = await sealKey(vault, id, origin, key);
  return change(database, async (store) => {
    const header = z.safeParse(headerShape, await store.get(VAULT_HEADER));
    if (!header.success || header.data.id !== vault.header.id) return false;
    await store.put(entry, KEY_PREFIX + id);
    return true;
  });
}

export async function addLock(database: Database, vault: UnlockedVault, secret: VaultSecret): Promise<void> {
  if (typeof secret === 'string') await checkPassphrase(secret);
  const { header } = vault;
  if (header.version === 1) {
    const message =
      'The saved keys couldn’t be prepared for this. Free some storage, lock them, and unlock them again.';
    throw new FaultError(fault('storage-failed', message));
  }
  const lock = await newLock({ ...vault, header }, secret);
  await changeLocks(database, header, (locks) => [...locks.filter((each) => idOf(each) !== idOf(lock)), lock]);
}

export async function removeLock(database: Database, { header }: UnlockedVault, id: string): Promise<void> {
  await changeLocks(database, header, (locks) => locks.filter((lock) => idOf(lock) !== id));
}

/** @returns the vault, which is a new one if the passphrase was its only lock */
export async function changePassphrase(database: Database, before: string, after: string): Promise<UnlockedVault> {
  await checkPassphrase(after);
  const { vault, stored } = await unseal(database, before);
  const { keys, unreadable } = await openEntries(vault, stored);
  if (vault.header.version === 2 && vault.header.locks.length > 1) {
    const opened = { ...vault, keys, unreadable };
    await addLock(database, opened, after);
    return opened;
  }
  const next = { ...(await newVault(after)), keys, unreadable: [] };
  if (!(await replace(database, stored, next))) throw new FaultError(changedMeanwhile());
  return next;
}

/**
 * Replaces the stored vault by another one with the same keys. Records that can't be read stay if they are in `unreadable`.
 * @returns `false` if nothing was replaced, because the stored vault was changed since it was read
 */
async function replace(database: Database, stored: Stored, next: UnlockedVault): Promise<boolean> {
  const entries: VaultEntry[] = [];
  for (const [id, { origin, key }] of next.keys) entries.push(await sealKey(next, id, origin, key));
  return change(database, async (store) => {
    if (!isSame(await store.getAll(), [...stored.entries, stored.header])) return false;
    const dropped = stored.ids.filter((id) => !next.unreadable.includes(id));
    for (const id of dropped) await store.delete(KEY_PREFIX + id);
    await store.put(next.header, VAULT_HEADER);
    for (const entry of entries) await store.put(entry, KEY_PREFIX + entry.id);
    return true;
  });
}

/** Changes the locks of the vault with this header, and leaves the locks that other tabs have changed. */
async function changeLocks(
  database: Database,
  { id }: VaultHeader | OldVaultHeader,
  next: (locks: readonly StoredLock[]) => readonly StoredLock[],
): Promise<void> {
  const problem = await change(database, async (store) => {
    const header = z.safeParse(headerShape, await store.get(VAULT_HEADER));
    if (!header.success || header.data.version === 1 || header.data.id !== id) return changedMeanwhile();
    const locks = next(header.data.locks);
    if (locks.length === 0) return fault('bad-request', 'Nothing else unlocks the keys. Add another way first.');
    if (locks.length > MOST_LOCKS) return fault('bad-request', 'Too many passkeys. Remove one first.');
    await store.put({ ...header.data, locks }, VAULT_HEADER);
    return null;
  });
  if (problem) throw new FaultError(problem);
}

/**
 * Checks a new passphrase. Rejects with a `FaultError`: `bad-request` for a short or weak passphrase, `internal` if
 * the check cannot be loaded.
 */
async function checkPassphrase(passphrase: string): Promise<void> {
  if ([...passphrase].length < SHORTEST_PASSPHRASE) {
    const message = `Choose a passphrase of at least ${SHORTEST_PASSPHRASE} characters, for example four words.`;
    throw new FaultError(fault('bad-request', message));
  }
  const { weaknessOf } = await loadStrength();
  const weakness = weaknessOf(passphrase);
  if (weakness !== null) throw new FaultError(fault('bad-request', weakness));
}

async function loadStrength() {
  try {
    return await import('./passphrase-strength');
  } catch (thrown) {
    const message = 'Couldn’t load the passphrase check. Check the connection, reload the page, and try again.';
    throw new FaultError(fault('internal', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
  }
}

const idOf = (lock: StoredLock) => (lock.kind === 'passphrase' ? PASSPHRASE_LOCK : lock.id);

async function unseal(database: Database, secret: VaultSecret): Promise<{ vault: OpenedVault; stored: Stored }> {
  const stored = await read(database);
  const vault = await openVault(readHeader(stored), secret);
  if (vault) return { vault, stored };
  const message = typeof secret === 'string' ? 'The passphrase is wrong.' : 'This passkey doesn’t unlock these keys.';
  throw new FaultError(fault('unauthorized', message));
}

function readHeader({ header }: Stored): VaultHeader | OldVaultHeader {
  if (header === undefined)
    throw new FaultError(fault('storage-failed', 'No keys are stored in this browser. Enter them again.'));
  const parsed = z.safeParse(headerShape, header);
  if (parsed.success) return parsed.data;
  const message =
    'This version of Podium can’t read the stored keys. Reload the page. If that doesn’t help, forget them and enter them again.';
  throw new FaultError(fault('storage-failed', message));
}

async function openEntries(vault: OpenedVault, { entries, ids }: Stored) {
  const keys: UnlockedVault['keys'] = new Map();
  const unreadable: string[] = [];
  for (const [index, id] of ids.entries()) {
    const entry = z.safeParse(entryShape, entries[index]);
    const key = entry.success && entry.data.id === id ? await openKey(vault, entry.data) : null;
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

export function changedMeanwhile() {
  const message = 'The keys were changed in another tab. Unlock them, then try again.';
  return fault('storage-failed', message, { retryable: true });
}
