import { openDB } from 'idb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FaultError } from '../../../src/core/contract';
import { createDatabase, type Database } from '../../../src/platform/store/database';
import { MIGRATIONS, type Migration } from '../../../src/platform/store/migrations';
import { testDatabase, uniqueName } from './harness';
import { eventually } from '../../fixtures/eventually.ts';

const write = (database: Database, value: string) =>
  database.transact(['blobs'], 'readwrite', (transaction) => transaction.objectStore('blobs').put(value, 'key'));
const read = (database: Database) =>
  database.transact(['blobs'], 'readonly', (transaction) => transaction.objectStore('blobs').get('key'));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (thrown: unknown) => (thrown instanceof FaultError ? thrown.fault.code : String(thrown)),
  );
/** The migrations of a future version. */
const NEXT: readonly Migration[] = [...MIGRATIONS, () => {}];

/** Returns a list. It receives each connection that begins a transaction before the test ends. */
function watchConnections(): IDBDatabase[] {
  const connections: IDBDatabase[] = [];
  const transaction = IDBDatabase.prototype.transaction;
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    if (!connections.includes(this)) connections.push(this);
    return transaction.apply(this, args);
  });
  onTestFinished(() => spy.mockRestore());
  return connections;
}

describe('a transaction', () => {
  it('resolves with the result of its work', async () => {
    const database = testDatabase();
    await write(database, 'kept');
    expect(await read(database)).toBe('kept');
  });

  it('is rolled back when its work throws', async () => {
    const database = testDatabase();
    await write(database, 'before');
    const failed = database.transact(['blobs'], 'readwrite', async (transaction) => {
      await transaction.objectStore('blobs').put('half done', 'key');
      throw new RangeError('no');
    });
    expect(await codeOf(failed)).toBe('storage-failed');
    expect(await read(database)).toBe('before');
  });

  it('passes its durability to IndexedDB, `relaxed` by default', async () => {
    const database = testDatabase();
    await read(database);
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    onTestFinished(() => spy.mockRestore());
    await database.transact(['blobs'], 'readwrite', async () => {}, 'strict');
    await write(database, 'x');
    expect(spy.mock.calls.map(([, , options]) => options?.durability)).toEqual(['strict', 'relaxed']);
  });
});

describe('faults', () => {
  it('report a full disk', async () => {
    const database = testDatabase();
    const full = database.transact(['blobs'], 'readwrite', async () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(await codeOf(full)).toBe('storage-full');
    await expect(full).rejects.toThrow(/Delete runs you no longer need/);
  });

  it('report a full disk if the browser aborted the transaction because of it', async () => {
    const database = testDatabase();
    await write(database, 'x');
    const quota = new DOMException('full', 'QuotaExceededError');
    const spy = vi.spyOn(IDBTransaction.prototype, 'error', 'get').mockReturnValue(quota);
    onTestFinished(() => spy.mockRestore());
    const full = database.transact(['blobs'], 'readwrite', async (transaction) => {
      const request = transaction.objectStore('blobs').put('y', 'key');
      transaction.abort();
      await request;
    });
    expect(await codeOf(full)).toBe('storage-full');
  });

  it('report disabled storage', async () => {
    vi.stubGlobal('indexedDB', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const database = createDatabase({ name: 'none' });
    await expect(read(database)).rejects.toThrow(/private windows/);
  });

  it('ask the user to reload an outdated page', async () => {
    const newer = testDatabase({ migrations: NEXT });
    await write(newer, 'x');
    const older = testDatabase({ name: newer.name });
    await expect(read(older)).rejects.toThrow(/newer version/);
  });
});

describe('a connection that is lost', () => {
  it('is replaced, and the work is repeated', async () => {
    const database = testDatabase();
    const connections = watchConnections();
    await write(database, 'kept');
    // Simulates a connection that the browser has closed.
    connections[0]?.close();
    expect(await read(database)).toBe('kept');
    expect(connections).toHaveLength(2);
  });

  it('is replaced in the middle of a transaction, which is then repeated', async () => {
    const database = testDatabase();
    await write(database, 'before');
    let tries = 0;
    await database.transact(['blobs'], 'readwrite', async (transaction) => {
      tries += 1;
      await transaction.objectStore('blobs').put('after', 'key');
      if (tries === 1) transaction.abort();
      await transaction.objectStore('blobs').get('key');
    });
    expect(tries).toBe(2);
    expect(await read(database)).toBe('after');
  });

  it('is replaced when the browser reports it as closed', async () => {
    const database = testDatabase();
    const connections = watchConnections();
    await write(database, 'kept');
    const [first] = connections;
    first?.dispatchEvent(new Event('close'));
    expect(await read(database)).toBe('kept');
    expect(connections).toHaveLength(2);
    first?.close();
  });

  it('is replaced at most twice per call, and the next call tries again', async () => {
    const database = testDatabase();
    await write(database, 'kept');
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
    });
    onTestFinished(() => spy.mockRestore());
    const failed = read(database);
    expect(await codeOf(failed)).toBe('storage-failed');
    await expect(failed).rejects.toMatchObject({ fault: { retryable: true } });
    expect(spy).toHaveBeenCalledTimes(3);
    spy.mockRestore();
    expect(await read(database)).toBe('kept');
  });

  it('is opened by the next call after an attempt to open it failed', async () => {
    const database = testDatabase({ pauses: [] });
    const spy = vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      throw new DOMException('Internal error', 'UnknownError');
    });
    onTestFinished(() => spy.mockRestore());
    expect(await codeOf(read(database))).toBe('storage-failed');
    expect(await codeOf(read(database))).toBe('fine');
  });
});

describe('a tab with an older version', () => {
  it('closes its connection when a newer tab opens the database', async () => {
    const older = testDatabase();
    await write(older, 'kept');
    const newer = testDatabase({ name: older.name, migrations: NEXT });
    expect(await read(newer)).toBe('kept');
    newer.close();
    await expect(read(older)).rejects.toThrow(/newer version/);
  });

  it('finishes its transactions before its connection closes', async () => {
    const older = testDatabase();
    await write(older, 'x');
    const writing = Array.from({ length: 20 }, (_, index) => write(older, `value ${index}`));
    const newer = testDatabase({ name: older.name, migrations: NEXT });
    expect(await read(newer)).toBe('value 19');
    await Promise.all(writing);
  });

  it('blocks a newer tab, which reports an error until the older tab closes', async () => {
    const name = uniqueName();
    const seed = testDatabase({ name });
    await write(seed, 'kept');
    seed.close();
    const stubborn = await openDB(name, MIGRATIONS.length);
    const database = testDatabase({ name, migrations: NEXT, patience: 0 });
    await expect(read(database)).rejects.toThrow(/Close the other tabs/);
    await expect(read(database)).rejects.toThrow(/Close the other tabs/);
    stubborn.close();
    await eventually(async () => expect(await read(database)).toBe('kept'));
  });
});

describe('migrations', () => {
  it('run in order, each once', async () => {
    const ran: number[] = [];
    const counted = NEXT.map((migrate, index): Migration => (...args) => {
      ran.push(index);
      migrate(...args);
    });
    const first = testDatabase({ migrations: counted.slice(0, 1) });
    await write(first, 'kept');
    const second = testDatabase({ name: first.name, migrations: counted });
    expect(await read(second)).toBe('kept');
    second.close();
    await read(testDatabase({ name: first.name, migrations: counted }));
    expect(ran).toEqual(NEXT.map((_, version) => version));
  });
});
