import { describe, expect, test } from 'vitest';
import type { KeyVault, WorkerSetup } from '../../../src/core/contract';
import { adoptKeys } from '../../../src/platform/store/adopt-keys';
import { createConnections, createWorkerSetups } from '../../../src/platform/store/setups';
import { memoryVault } from '../../fixtures/memory-vault';
import { testDatabase } from './harness';

const [ONE, TWO] = ['https://one.example', 'https://two.example'];
const PASSPHRASE = 'a phrase of four words';
const SIGN_IN = { id: 'provider:openrouter', baseUrl: 'https://openrouter.ai/api/v1' };

const setup = (id: string, baseUrl: string): WorkerSetup => ({
  id,
  name: id,
  mark: 'Wo',
  colour: 1,
  baseUrl,
  model: 'm',
  price: null,
  description: '',
  needsKey: true,
});

type Keys = Record<string, [origin: string, key: string]>;

/** A database of the version before connections: workers without connections, and a vault with their keys. */
async function olderVersion(workers: Record<string, string>, keys: Keys) {
  const database = testDatabase();
  const setups = createWorkerSetups(database);
  for (const [id, baseUrl] of Object.entries(workers)) await setups.put(setup(id, baseUrl));
  const vault = memoryVault({ passphrase: PASSPHRASE, keys });
  await vault.load();
  const stores = { setups, connections: createConnections(database), vault };
  /** The key that each worker's calls would send. */
  const keysOf = async () =>
    Object.fromEntries(
      (await setups.list()).map(({ id, connection = '', baseUrl }) => [
        id,
        vault.get(connection, new URL(baseUrl).origin),
      ]),
    );
  return { ...stores, stores, keysOf };
}

const THREE = { a: `${ONE}/v1`, b: `${ONE}/v1`, c: `${TWO}/v1` };

describe('keys of an older version', () => {
  test('stay under the ids of their workers while the vault is locked', async () => {
    const { stores, vault, connections, keysOf } = await olderVersion(THREE, { a: [ONE, 'k1'] });
    expect(await adoptKeys(stores, SIGN_IN)).toBe(false);
    expect(vault.holds('a')).toBe(true);
    expect(await keysOf()).toEqual({ a: null, b: null, c: null });
    expect(await connections.list()).toHaveLength(2);
  });

  test('move to the connection of their workers, and serve all its workers', async () => {
    const { stores, vault, keysOf } = await olderVersion(THREE, { a: [ONE, 'k1'], c: [TWO, 'k2'] });
    await vault.unlock(PASSPHRASE);
    expect(await adoptKeys(stores, SIGN_IN)).toBe(false);
    expect(await keysOf()).toEqual({ a: 'k1', b: 'k1', c: 'k2' });
    expect(['a', 'c'].some((id) => vault.holds(id))).toBe(false);
  });

  test('that differ at one origin make one connection for each key', async () => {
    const workers = { a: `${ONE}/v1`, b: `${ONE}/v1`, c: `${ONE}/v1` };
    const { stores, vault, connections, keysOf } = await olderVersion(workers, {
      a: [ONE, 'k1'],
      b: [ONE, 'k2'],
      c: [ONE, 'k2'],
    });
    await vault.unlock(PASSPHRASE);
    expect(await adoptKeys(stores, SIGN_IN)).toBe(true);
    expect(await keysOf()).toEqual({ a: 'k1', b: 'k2', c: 'k2' });
    expect((await connections.list()).map(({ baseUrl }) => baseUrl)).toEqual([`${ONE}/v1`, `${ONE}/v1`]);
    expect(await adoptKeys(stores, SIGN_IN), 'a second call has nothing to do').toBe(false);
  });

  test('do not replace the key of the connection', async () => {
    const { stores, setups, vault, keysOf } = await olderVersion(
      { a: `${ONE}/v1`, b: `${ONE}/v1` },
      { a: [ONE, 'k1'] },
    );
    const [first] = await setups.list();
    await vault.unlock(PASSPHRASE);
    await vault.put(first?.connection ?? '', ONE, 'new');
    await adoptKeys(stores, SIGN_IN);
    expect(await keysOf()).toEqual({ a: 'k1', b: 'new' });
  });

  test('for another origin are not used', async () => {
    const { stores, vault, keysOf } = await olderVersion({ a: `${ONE}/v1` }, { a: [TWO, 'k1'] });
    await vault.unlock(PASSPHRASE);
    await adoptKeys(stores, SIGN_IN);
    expect(await keysOf()).toEqual({ a: null });
  });

  test('of a sign-in make a connection, or join the connection that has no key', async () => {
    const openRouter = new URL(SIGN_IN.baseUrl).origin;
    const cases: readonly Record<string, string>[] = [{}, { a: SIGN_IN.baseUrl }];
    for (const workers of cases) {
      const { stores, vault, connections } = await olderVersion(workers, { [SIGN_IN.id]: [openRouter, 'k1'] });
      await stores.setups.list();
      await vault.unlock(PASSPHRASE);
      await adoptKeys(stores, SIGN_IN);
      const known = await connections.list();
      expect(known.map(({ id, baseUrl }) => [baseUrl, vault.get(id, openRouter)])).toEqual([[SIGN_IN.baseUrl, 'k1']]);
      expect(vault.holds(SIGN_IN.id)).toBe(false);
    }
  });
});

test('whichever step is interrupted, no key is lost, and the next call completes the move', async () => {
  const keys: Keys = { a: [ONE, 'k1'], b: [ONE, 'k2'], c: [TWO, 'k3'] };
  for (let steps = 0; ; steps++) {
    const { stores, vault, connections, keysOf } = await olderVersion(THREE, keys);
    await vault.unlock(PASSPHRASE);
    let left = steps;
    const count = <Work extends (...all: never[]) => Promise<void>>(work: Work) =>
      ((...all) => (left-- > 0 ? work(...all) : Promise.reject(new Error('The tab was closed.')))) as Work;
    const interrupted: KeyVault = { ...vault, put: count(vault.put), remove: count(vault.remove), state: 'unlocked' };
    const failing = { ...stores, vault: interrupted, connections: { ...connections, put: count(connections.put) } };
    const isDone = await adoptKeys(failing, SIGN_IN).then(
      () => true,
      () => false,
    );
    await adoptKeys(stores, SIGN_IN);
    expect(await keysOf(), `after ${steps} steps`).toEqual({ a: 'k1', b: 'k2', c: 'k3' });
    expect(await connections.list(), `after ${steps} steps`).toHaveLength(3);
    expect(Object.keys(keys).filter((id) => vault.holds(id))).toEqual([]);
    if (isDone) return;
  }
});
