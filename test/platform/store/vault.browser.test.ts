import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_PREFERENCES, type VaultState } from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { createKeyVault, type StoredKeyVault } from '../../../src/platform/store/vault';
import { newVault } from '../../../src/platform/store/vault-crypto';
import type { VaultHeader } from '../../../src/platform/store/vault-records';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { derivePassphrasesQuickly } from '../../fixtures/quick-passphrases';
import { testDatabase, uniqueName } from './harness';

derivePassphrasesQuickly();
const PASSPHRASE = 'four words in a row';
const OTHER = 'quite another phrase of mine';
const ORIGIN = 'https://api.example.com';
const CANARY = 'sk-canary-0123456789abcdef';

/** The vault of one tab. Tabs with the same channel name notify each other of changes. */
function tab(database: Database, channel = uniqueName()): StoredKeyVault {
  const vault = createKeyVault(database, channel);
  onTestFinished(() => vault.close());
  return vault;
}

async function later(database: Database): Promise<StoredKeyVault> {
  const vault = tab(database);
  await vault.load();
  return vault;
}

interface Sealed {
  readonly id: string;
  readonly origin: string;
  readonly sealed: { readonly iv: Uint8Array; readonly data: Uint8Array };
}

/** Every record of the vault, by its key in the database. */
function records(database: Database): Promise<Map<string, unknown>> {
  return database.transact(['vault'], 'readonly', async (transaction) => {
    const store = transaction.objectStore('vault');
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(keys.map((key, index) => [key, values[index]]));
  });
}

async function headerOf(database: Database): Promise<VaultHeader> {
  return (await records(database)).get('header') as VaultHeader;
}

async function entryOf(database: Database, id: string): Promise<Sealed> {
  return (await records(database)).get(`key:${id}`) as Sealed;
}

function overwrite(database: Database, key: string, value: unknown): Promise<unknown> {
  return database.transact(['vault'], 'readwrite', (transaction) => transaction.objectStore('vault').put(value, key));
}

/** A copy of the bytes with one bit flipped. */
function tampered(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, index) => (index === 3 ? byte ^ 1 : byte));
}

describe('a vault', () => {
  it('does not exist until it is created, and then stores keys for later visits', async () => {
    const database = testDatabase();
    const vault = await later(database);
    expect(vault.state).toBe('none');
    const states: VaultState[] = [];
    vault.listen((state) => states.push(state));
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    vault.lock();
    expect(states).toEqual(['unlocked', 'locked']);

    const next = await later(database);
    expect([next.state, next.get('ada', ORIGIN), next.holds('ada'), next.holds('bob')]).toEqual([
      'locked',
      null,
      true,
      false,
    ]);
    expect(await next.unlock(PASSPHRASE)).toEqual([]);
    expect([next.state, next.get('ada', ORIGIN)]).toEqual(['unlocked', CANARY]);
  });

  it('returns a key only for the worker and the origin for which it was stored', async () => {
    const vault = tab(testDatabase());
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    expect(vault.get('ada', 'https://evil.example')).toBeNull();
    expect(vault.get('bob', ORIGIN)).toBeNull();
    expect(vault.get('ada', '')).toBeNull();
  });

  it('rejects a wrong passphrase, and stays locked and unchanged', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    vault.lock();
    const before = await records(database);
    await expect(vault.unlock(OTHER)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    await expect(vault.changePassphrase(OTHER, 'yet another phrase of mine')).rejects.toMatchObject({
      fault: { code: 'unauthorized' },
    });
    expect([vault.state, vault.get('ada', ORIGIN)]).toEqual(['locked', null]);
    expect(await records(database)).toEqual(before);
  });

  it('rejects a short passphrase and a second creation, and rejects new keys while it is locked', async () => {
    const vault = tab(testDatabase());
    await expect(vault.create('too short')).rejects.toMatchObject({ fault: { code: 'bad-request' } });
    expect(vault.state).toBe('none');
    await vault.create(PASSPHRASE);
    await expect(vault.create(OTHER)).rejects.toMatchObject({ fault: { message: expect.stringMatching(/already/) } });
    await expect(vault.changePassphrase(PASSPHRASE, 'short')).rejects.toMatchObject({ fault: { code: 'bad-request' } });
    vault.lock();
    await expect(vault.put('ada', ORIGIN, CANARY)).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/locked/) },
    });
  });

  it('rejects a passphrase that is easy to guess, with the reason', async () => {
    const vault = tab(testDatabase());
    for (const weak of ['password1234', 'abcdefghijkl', 'i love you so much'])
      await expect(vault.create(weak)).rejects.toMatchObject({
        fault: {
          code: 'bad-request',
          message: expect.stringMatching(/^This passphrase is weak: .*\. Use four or more unrelated words/),
        },
      });
    expect(vault.state).toBe('none');
    await vault.create(PASSPHRASE);
    await expect(vault.changePassphrase(PASSPHRASE, 'password1234')).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/weak/) },
    });
  });

  it('with a weak passphrase still opens with it, and accepts a stronger passphrase', async () => {
    const database = testDatabase();
    const weak = 'password1234';
    const { header } = await newVault(weak);
    await overwrite(database, 'header', header);
    const vault = await later(database);
    expect(vault.state).toBe('locked');
    expect(await vault.unlock(weak)).toEqual([]);
    await vault.put('ada', ORIGIN, CANARY);
    await vault.changePassphrase(weak, OTHER);
    expect(vault.get('ada', ORIGIN)).toBe(CANARY);
  });

  it('accepts the same passphrase with composed and with decomposed letters', async () => {
    const vault = tab(testDatabase());
    await vault.create('G\u00fcrteltier im Garten');
    vault.lock();
    await vault.unlock('Gu\u0308rteltier im Garten');
    expect(vault.state).toBe('unlocked');
  });

  it('opens only with the new passphrase after the passphrase is changed', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    await vault.put('bob', ORIGIN, 'sk-bob');
    const before = await entryOf(database, 'ada');
    await vault.changePassphrase(PASSPHRASE, OTHER);
    expect(vault.get('ada', ORIGIN)).toBe(CANARY);
    const after = await entryOf(database, 'ada');
    expect(after.sealed.data).not.toEqual(before.sealed.data);
    const next = await later(database);
    await expect(next.unlock(PASSPHRASE)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    await next.unlock(OTHER);
    expect([next.get('ada', ORIGIN), next.get('bob', ORIGIN)]).toEqual([CANARY, 'sk-bob']);
  });

  it('can forget one key or all keys even while it is locked', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    await vault.put('bob', ORIGIN, 'sk-bob');
    vault.lock();
    await vault.remove('ada');
    expect([...(await records(database)).keys()]).toEqual(['header', 'key:bob']);
    await vault.forgetAll();
    expect(vault.state).toBe('none');
    expect(await records(database)).toEqual(new Map());
    await vault.create(OTHER);
    expect(vault.get('bob', ORIGIN)).toBeNull();
  });
});

describe('the stored vault', () => {
  it('contains neither an unencrypted key nor the passphrase, and names its encryption methods', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    const stored = await records(database);
    const bytes = [...stored.values()].flatMap(textsIn);
    expect(bytes.length).toBeGreaterThan(4);
    for (const text of bytes) for (const secret of [CANARY, PASSPHRASE]) expect(text).not.toContain(secret);
    expect(stored.get('header')).toMatchObject({
      cipher: 'AES-GCM-256',
      locks: [{ kind: 'passphrase', derivation: { name: 'PBKDF2', hash: 'SHA-256', rounds: 600_000 } }],
    });
    const { sealed } = await entryOf(database, 'ada');
    expect(sealed.iv).toHaveLength(12);
  });

  it('uses a new IV for every write, and a new salt for every change of the passphrase', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    const ivs = new Set<string>();
    for (let write = 0; write < 20; write++) {
      await vault.put('ada', ORIGIN, CANARY);
      ivs.add((await entryOf(database, 'ada')).sealed.iv.join());
    }
    expect(ivs.size).toBe(20);
    const salt = async () => (await headerOf(database)).locks.map(({ derivation }) => derivation.salt);
    const before = await salt();
    await vault.changePassphrase(PASSPHRASE, PASSPHRASE);
    expect(await salt()).not.toEqual(before);
  });

  it.each(['data', 'iv'] as const)(
    'reports a key whose stored %s was changed, and opens the other key',
    async (part) => {
      const database = testDatabase();
      const vault = tab(database);
      await vault.create(PASSPHRASE);
      await vault.put('ada', ORIGIN, CANARY);
      await vault.put('bob', ORIGIN, 'sk-bob');
      const entry = await entryOf(database, 'ada');
      await overwrite(database, 'key:ada', {
        ...entry,
        sealed: { ...entry.sealed, [part]: tampered(entry.sealed[part]) },
      });
      const next = await later(database);
      expect(await next.unlock(PASSPHRASE)).toEqual(['ada']);
      expect([next.get('ada', ORIGIN), next.get('bob', ORIGIN)]).toEqual([null, 'sk-bob']);
    },
  );

  it('opens no key whose stored worker or origin was changed, and reports these keys', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    const entry = await entryOf(database, 'ada');
    await overwrite(database, 'key:ada', { ...entry, origin: 'https://evil.example' });
    await overwrite(database, 'key:bob', { ...entry, id: 'bob' });
    await overwrite(database, 'key:eve', entry);
    await overwrite(database, 'key:fay', 'nothing like a key');
    const next = await later(database);
    expect(await next.unlock(PASSPHRASE)).toEqual(['ada', 'bob', 'eve', 'fay']);
    for (const id of ['ada', 'bob', 'eve'])
      expect([next.get(id, ORIGIN), next.get(id, 'https://evil.example')]).toEqual([null, null]);
  });

  it('is rejected if its header names too few rounds of key derivation', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PASSPHRASE);
    const header = await headerOf(database);
    const locks = header.locks.map((lock) => ({ ...lock, derivation: { ...lock.derivation, rounds: 1000 } }));
    await overwrite(database, 'header', { ...header, locks });
    await expect((await later(database)).unlock(PASSPHRASE)).rejects.toMatchObject({
      fault: { code: 'storage-failed' },
    });
  });
});

describe('two tabs', () => {
  it('both lock the vault when one of them locks it', async () => {
    const database = testDatabase();
    const channel = uniqueName();
    const [one, two] = [tab(database, channel), tab(database, channel)];
    await one.create(PASSPHRASE);
    await one.put('ada', ORIGIN, CANARY);
    await two.unlock(PASSPHRASE);
    one.lock();
    await expect.poll(() => two.state).toBe('locked');
    expect(two.get('ada', ORIGIN)).toBeNull();
  });

  it('both use a key that one of them stores or replaces, until one of them removes it', async () => {
    const database = testDatabase();
    const channel = uniqueName();
    const [one, two] = [tab(database, channel), tab(database, channel)];
    await one.create(PASSPHRASE);
    await two.unlock(PASSPHRASE);
    const noticed = new Set<string | null>();
    two.listen(() => noticed.add(two.get('ada', ORIGIN)));
    await one.put('ada', ORIGIN, 'sk-first');
    await expect.poll(() => two.get('ada', ORIGIN)).toBe('sk-first');
    await one.put('ada', ORIGIN, CANARY);
    await expect.poll(() => two.get('ada', ORIGIN)).toBe(CANARY);
    expect([...noticed]).toEqual(expect.arrayContaining(['sk-first', CANARY]));
    await two.remove('ada');
    await expect.poll(() => one.get('ada', ORIGIN)).toBeNull();
    expect([one.state, one.holds('ada')]).toEqual(['unlocked', false]);
  });

  it('do not lose a key that a tab stores while the same tab loads the vault', async () => {
    const database = testDatabase();
    const channel = uniqueName();
    const [one, two] = [tab(database, channel), tab(database, channel)];
    await one.create(PASSPHRASE);
    await two.unlock(PASSPHRASE);
    const reading = one.load();
    const storing = one.put('ada', ORIGIN, CANARY);
    await reading;
    expect(one.get('ada', ORIGIN)).toBe(CANARY);
    await storing;
    await expect.poll(() => two.get('ada', ORIGIN)).toBe(CANARY);
  });

  it.each(['the same tab', 'another tab'])(
    'leave the vault locked if %s locks it while one tab unlocks it',
    async (where) => {
      const database = testDatabase();
      const channel = uniqueName();
      const [one, two] = [tab(database, channel), tab(database, channel)];
      await one.create(PASSPHRASE);
      await one.put('ada', ORIGIN, CANARY);
      one.lock();
      await two.load();
      const unlocking = one.unlock(PASSPHRASE);
      (where === 'another tab' ? two : one).lock();
      await expect(unlocking).rejects.toMatchObject({ fault: { message: expect.stringMatching(/Unlock them again/) } });
      expect([one.state, one.get('ada', ORIGIN)]).toEqual(['locked', null]);
      await one.unlock(PASSPHRASE);
      expect(one.get('ada', ORIGIN)).toBe(CANARY);
    },
  );

  it('apply each other’s changes: a new passphrase locks the vault, and forgetting all keys deletes the vault', async () => {
    const database = testDatabase();
    const channel = uniqueName();
    const [one, two] = [tab(database, channel), tab(database, channel)];
    await one.create(PASSPHRASE);
    await two.unlock(PASSPHRASE);
    await one.changePassphrase(PASSPHRASE, OTHER);
    await expect.poll(() => two.state).toBe('locked');
    await two.unlock(OTHER);
    await one.forgetAll();
    await expect.poll(() => two.state).toBe('none');
  });

  it('store no key under an old passphrase: a tab that missed the change locks its vault', async () => {
    const database = testDatabase();
    const [one, deaf] = [tab(database), tab(database)];
    await one.create(PASSPHRASE);
    await deaf.unlock(PASSPHRASE);
    await one.changePassphrase(PASSPHRASE, OTHER);
    await expect(deaf.put('ada', ORIGIN, CANARY)).rejects.toMatchObject({ fault: { retryable: true } });
    expect(deaf.state).toBe('locked');
    expect((await records(database)).has('key:ada')).toBe(false);
  });
});

describe('the keys of a tab', () => {
  it('stay in memory until a vault is created or unlocked, and are then stored', async () => {
    const database = testDatabase();
    const vault = tab(database);
    const keys = createMemoryKeys(vault);
    keys.set('ada', ORIGIN, CANARY);
    expect(keys.isLocked()).toBe(false);
    await vault.create(PASSPHRASE);
    await keys.settled();
    expect((await records(database)).has('key:ada')).toBe(true);
    vault.lock();
    expect([keys.get('ada', ORIGIN), keys.isLocked()]).toEqual([null, true]);
    keys.set('bob', ORIGIN, 'sk-bob');
    expect(keys.get('bob', ORIGIN)).toBe('sk-bob');
    expect((await records(database)).has('key:bob')).toBe(false);
    await vault.unlock(PASSPHRASE);
    await keys.settled();
    expect([keys.get('ada', ORIGIN), keys.get('bob', ORIGIN)]).toEqual([CANARY, 'sk-bob']);
    keys.forget('ada');
    await keys.settled();
    vault.lock();
    keys.forget('bob');
    await keys.settled();
    expect([...(await records(database)).keys()]).toEqual(['header']);
  });

  it('are all deleted when the user forgets all keys', async () => {
    const vault = tab(testDatabase());
    const keys = createMemoryKeys(vault);
    keys.set('ada', ORIGIN, CANARY);
    await vault.forgetAll();
    expect(keys.get('ada', ORIGIN)).toBeNull();
  });

  it('are not stored if another tab has changed the passphrase: the write fails, and the vault is locked', async () => {
    const database = testDatabase();
    const [one, deaf] = [tab(database), tab(database)];
    await one.create(PASSPHRASE);
    await deaf.unlock(PASSPHRASE);
    const keys = createMemoryKeys(deaf);
    keys.set('ada', ORIGIN, CANARY);
    expect(keys.get('ada', ORIGIN)).toBe(CANARY);
    await keys.settled();
    await one.changePassphrase(PASSPHRASE, OTHER);
    keys.set('bob', ORIGIN, 'sk-bob');
    await expect(keys.settled()).rejects.toMatchObject({ fault: { code: 'storage-failed' } });
    await keys.settled();
    expect([deaf.state, deaf.holds('bob'), keys.get('bob', ORIGIN)], 'the vault is locked').toEqual([
      'locked',
      false,
      null,
    ]);
  });
});

it('a migration adds the object store of the vault, and keeps the preferences', async () => {
  const { MIGRATIONS } = await import('../../../src/platform/store/migrations');
  const before = testDatabase({ migrations: MIGRATIONS.slice(0, 2) });
  await createPreferencesStore(before).write({ ...DEFAULT_PREFERENCES, theme: 'dark' });
  before.close();
  const database = testDatabase({ name: before.name });
  await tab(database).create(PASSPHRASE);
  expect((await createPreferencesStore(database).read()).theme).toBe('dark');
});

/** Every string and every byte array in a value. Bytes are decoded as Latin-1. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [new TextDecoder('latin1').decode(value)];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return [];
}
