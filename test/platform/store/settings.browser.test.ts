import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences, type WorkerSetup } from '../../../src/core/contract';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { createWorkerSetups } from '../../../src/platform/store/setups';
import { estimateStorage, persistStorage } from '../../../src/platform/store/storage-estimate';
import { testDatabase } from './harness';

const setup = (id: string, name: string): WorkerSetup => ({
  id,
  name,
  mark: name.slice(0, 2),
  colour: 2,
  baseUrl: 'http://localhost:11434/v1',
  model: 'llama3',
  price: null,
  description: '',
  needsKey: false,
  connection: 'connection:2',
});

describe('worker setups', () => {
  it('are stored, replaced and deleted, and are sorted by name', async () => {
    const database = testDatabase();
    const setups = createWorkerSetups(database);
    await setups.put(setup('1', 'Mistral'));
    await setups.put(setup('2', 'llama'));
    await setups.put(setup('3', 'Qwen'));
    await setups.put({ ...setup('3', 'Qwen'), model: 'qwen3' });
    await setups.delete('1');
    database.close();
    const later = createWorkerSetups(testDatabase({ name: database.name }));
    expect(await later.list()).toEqual([setup('2', 'llama'), { ...setup('3', 'Qwen'), model: 'qwen3' }]);
  });

  it('are listed without setups that lack required fields', async () => {
    const database = testDatabase();
    const setups = createWorkerSetups(database);
    await setups.put(setup('2', 'Mistral'));
    await database.transact(['setups'], 'readwrite', (transaction) =>
      transaction.objectStore('setups').put({ id: '1', name: 'Ghost' }, '1'),
    );
    expect(await setups.list()).toEqual([setup('2', 'Mistral')]);
  });
});

describe('preferences', () => {
  it('are the defaults until they are written', async () => {
    const database = testDatabase();
    const preferences = createPreferencesStore(database);
    expect(await preferences.read()).toEqual(DEFAULT_PREFERENCES);
    const mine: Preferences = { ...DEFAULT_PREFERENCES, theme: 'dark', pool: ['a', 'b'] };
    await preferences.write(mine);
    database.close();
    expect(await createPreferencesStore(testDatabase({ name: database.name })).read()).toEqual(mine);
  });

  it('fall back to the default for each invalid or missing field', async () => {
    const database = testDatabase();
    await database.transact(['preferences'], 'readwrite', (transaction) =>
      transaction.objectStore('preferences').put({ theme: 'plaid', recursion: true }, 'preferences'),
    );
    expect(await createPreferencesStore(database).read()).toEqual({ ...DEFAULT_PREFERENCES, recursion: true });
  });
});

describe('the storage estimate', () => {
  it('reports usage and quota', async () => {
    const estimate = await estimateStorage();
    expect(estimate?.quota).toBeGreaterThan(0);
    expect(estimate?.used).toBeLessThanOrEqual(estimate?.quota ?? 0);
    expect(typeof (await persistStorage())).toBe('boolean');
  });
});
