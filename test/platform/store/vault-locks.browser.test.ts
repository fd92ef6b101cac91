/** @file Tests what unlocks the vault: a passphrase, passkeys, and the passphrase of a vault of an older version. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PasskeySecret } from '../../../src/core/contract';
import { unpackBytes } from '../../../src/platform/store/backup/bytes';
import type { Database } from '../../../src/platform/store/database';
import { createKeyVault, type StoredKeyVault } from '../../../src/platform/store/vault';
import old from '../../fixtures/stored/vault-1.json';
import { testDatabase, uniqueName } from './harness';

const PASSPHRASE = 'four words in a row';
const OTHER = 'quite another phrase of mine';
const ORIGIN = 'https://api.example.com';
const CANARY = 'sk-canary-0123456789abcdef';

const passkey = (id: string, fill: number): PasskeySecret => ({
  id,
  site: 'localhost',
  output: new Uint8Array(32).fill(fill),
});
const PHONE = passkey('phone', 1);
const LAPTOP = passkey('laptop', 2);

function tab(database: Database, channel = uniqueName()): StoredKeyVault {
  const vault = createKeyVault(database, channel);
  onTestFinished(() => vault.close());
  return vault;
}

/** Every record of the vault, by its key in the database. */
function records(database: Database): Promise<Map<string, unknown>> {
  return database.transact(['vault'], 'readonly', async (transaction) => {
    const store = transaction.objectStore('vault');
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(keys.map((key, index) => [key, values[index]]));
  });
}

function write(database: Database, entries: Readonly<Record<string, unknown>>): Promise<void> {
  return database.transact(['vault'], 'readwrite', async (transaction) => {
    const store = transaction.objectStore('vault');
    for (const [key, value] of Object.entries(entries)) await store.put(value, key);
  });
}

const idsOf = async (vault: StoredKeyVault) => (await vault.locks()).map(({ id }) => id);

describe('a vault with several locks', () => {
  it('opens with each passkey and with the passphrase, and each has the same keys', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PHONE);
    await vault.put('ada', ORIGIN, CANARY);
    await vault.addLock(LAPTOP);
    await vault.addLock(PASSPHRASE);
    expect(await vault.locks()).toEqual([
      { id: 'phone', site: 'localhost', addedAt: expect.any(Number) },
      { id: 'laptop', site: 'localhost', addedAt: expect.any(Number) },
      { id: 'passphrase', site: null, addedAt: null },
    ]);
    for (const secret of [PHONE, LAPTOP, PASSPHRASE]) {
      const next = tab(database);
      expect(await next.unlock(secret)).toEqual([]);
      expect(next.get('ada', ORIGIN)).toBe(CANARY);
    }
  });

  it('stays closed for a removed passkey, another answer of a passkey, and another passkey', async () => {
    const database = testDatabase();
    const vault = tab(database);
    await vault.create(PHONE);
    await vault.addLock(LAPTOP);
    await vault.removeLock('phone');
    vault.lock();
    for (const secret of [PHONE, passkey('laptop', 9), passkey('other', 2), PASSPHRASE])
      await expect(vault.unlock(secret)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    expect(vault.state).toBe('locked');
    await vault.unlock(LAPTOP);
    expect(vault.state).toBe('unlocked');
  });

  it('keeps its last lock, and changes no lock while it is locked', async () => {
    const vault = tab(testDatabase());
    await vault.create(PHONE);
    await expect(vault.removeLock('phone')).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/Add another way/) },
    });
    vault.lock();
    await expect(vault.addLock(LAPTOP)).rejects.toMatchObject({ fault: { message: expect.stringMatching(/locked/) } });
    await expect(vault.removeLock('phone')).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/locked/) },
    });
    expect(await idsOf(vault)).toEqual(['phone']);
  });

  it('keeps its passkeys if the passphrase is changed or set again, and rejects a weak passphrase', async () => {
    const vault = tab(testDatabase());
    await vault.create(PASSPHRASE);
    await vault.put('ada', ORIGIN, CANARY);
    await vault.addLock(PHONE);
    await vault.changePassphrase(PASSPHRASE, OTHER);
    await expect(vault.addLock('password1234')).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/weak/) },
    });
    vault.lock();
    await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    await vault.unlock(OTHER);
    vault.lock();
    await vault.unlock(PHONE);
    // Whoever has forgotten the passphrase sets another one.
    await vault.addLock(PASSPHRASE);
    vault.lock();
    await expect(vault.unlock(OTHER)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    await vault.unlock(PASSPHRASE);
    expect([vault.get('ada', ORIGIN), await idsOf(vault)]).toEqual([CANARY, ['phone', 'passphrase']]);
  });

  it('has the locks that two tabs add, and both tabs stay unlocked', async () => {
    const database = testDatabase();
    const [one, two] = [tab(database), tab(database)];
    await one.create(PASSPHRASE);
    await two.unlock(PASSPHRASE);
    await Promise.all([one.addLock(PHONE), two.addLock(LAPTOP)]);
    expect((await idsOf(one)).toSorted()).toEqual(['laptop', 'passphrase', 'phone']);
    await two.put('ada', ORIGIN, CANARY);
    expect([one.state, two.state]).toEqual(['unlocked', 'unlocked']);
  });

  it('stores no answer of a passkey, and opens no lock that was moved to another vault or changed', async () => {
    const [from, to] = [testDatabase(), testDatabase()];
    const vault = tab(from);
    await vault.create(PHONE);
    const secret = new TextDecoder('latin1').decode(PHONE.output);
    expect(JSON.stringify([...(await records(from))], textOfBytes)).not.toContain(JSON.stringify(secret).slice(1, -1));
    await tab(to).create(PASSPHRASE);
    const [mine, theirs] = [(await records(from)).get('header'), (await records(to)).get('header')] as [
      { locks: object[] },
      { locks: object[] },
    ];
    await write(to, { header: { ...theirs, locks: [...theirs.locks, ...mine.locks] } });
    await expect(tab(to).unlock(PHONE)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    await write(from, { header: { ...mine, locks: mine.locks.map((lock) => ({ ...lock, site: 'evil.example' })) } });
    await expect(tab(from).unlock(PHONE)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
  });
});

describe('a vault of an older version', () => {
  /** A database with the stored vault, in which another record can't be read. */
  async function stored(): Promise<Database> {
    const database = testDatabase();
    const { header, entries } = unpackBytes(old) as { header: object; entries: { id: string }[] };
    await write(database, { header, ...Object.fromEntries(entries.map((entry) => [`key:${entry.id}`, entry])) });
    await write(database, { 'key:torn': { ...entries[0], id: 'torn' } });
    return database;
  }

  const versionIn = async (database: Database) =>
    ((await records(database)).get('header') as { version: number }).version;

  it('opens with its passphrase, gets a random vault key at once, and can then have a passkey', async () => {
    const database = await stored();
    const vault = tab(database);
    await vault.load();
    expect([vault.state, await idsOf(vault)]).toEqual(['locked', ['passphrase']]);
    await expect(vault.unlock(OTHER)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    await expect(vault.unlock(PHONE)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    expect(await versionIn(database)).toBe(1);
    expect(await vault.unlock(PASSPHRASE)).toEqual(['torn']);
    expect([vault.get('connection:desk', ORIGIN), vault.get('ada', 'http://localhost:11434')]).toEqual([
      CANARY,
      'sk-ada',
    ]);
    expect(await versionIn(database)).toBe(2);
    await vault.addLock(PHONE);

    for (const secret of [PASSPHRASE, PHONE]) {
      const next = tab(database);
      expect(await next.unlock(secret)).toEqual(['torn']);
      expect(next.get('connection:desk', ORIGIN)).toBe(CANARY);
    }
  });

  it('stays as it is if the change is interrupted at any write, and its keys can be used', async () => {
    const database = await stored();
    const before = await records(database);
    let writes = 0;
    for (let last = 1; (await versionIn(database)) === 1; last++) {
      writes = 0;
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given: [unknown, IDBValidKey?]) {
        writes += 1;
        if (writes === last) throw new DOMException('The disk is full.', 'QuotaExceededError');
        return put.apply(this, given);
      };
      const vault = tab(database);
      try {
        await vault.unlock(PASSPHRASE);
      } finally {
        IDBObjectStore.prototype.put = put;
      }
      expect(vault.get('connection:desk', ORIGIN), `write ${last}`).toBe(CANARY);
      if (last <= writes) {
        expect(await records(database)).toEqual(before);
        await expect(vault.addLock(PHONE)).rejects.toMatchObject({ fault: { code: 'storage-failed' } });
      }
    }
    expect(writes).toBe(3);
  });

  it('opens in two tabs at the same time', async () => {
    const database = await stored();
    const [one, two] = [tab(database), tab(database)];
    await Promise.all([one.unlock(PASSPHRASE), two.unlock(PASSPHRASE)]);
    await one.put('bob', ORIGIN, 'sk-bob');
    await two.put('eve', ORIGIN, 'sk-eve');
    const next = tab(database);
    await next.unlock(PASSPHRASE);
    expect(['bob', 'eve', 'connection:desk'].map((id) => next.get(id, ORIGIN))).toEqual(['sk-bob', 'sk-eve', CANARY]);
  });

  it('is replaced by a new one if its passphrase is changed', async () => {
    const database = await stored();
    const vault = tab(database);
    await vault.changePassphrase(PASSPHRASE, OTHER);
    expect([vault.get('connection:desk', ORIGIN), vault.holds('torn')]).toEqual([CANARY, false]);
    await expect(tab(database).unlock(PASSPHRASE)).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    expect(await tab(database).unlock(OTHER)).toEqual([]);
  });
});

/** Decodes bytes for `JSON.stringify`. */
function textOfBytes(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value;
}
