import { describe, expect, it } from 'vitest';
import type { ModelManifest } from '../../../src/core/contract';
import { MIGRATIONS } from '../../../src/platform/store/migrations';
import { createOwnModels } from '../../../src/platform/store/models';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { testDatabase } from './harness';

const own = (id: string, label: string): ModelManifest => ({
  id: `own:${id}`,
  label,
  engine: 'transformers',
  source: { kind: 'hub', id: 'me/mine', revision: 'v1', host: 'http://localhost:9000' },
  download: null,
  memory: null,
  context: 4096,
  licence: null,
  why: 'Yours.',
  needs: [],
  prompt: { fixed: '', question: '{{question}}' },
  showWorkers: 'number',
});

describe('own models', () => {
  it('are stored, replaced and deleted, and sorted by label', async () => {
    const database = testDatabase();
    const models = createOwnModels(database);
    await models.put(own('1', 'Zebra'));
    await models.put(own('2', 'ant'));
    await models.put(own('3', 'Bee'));
    await models.put({ ...own('2', 'ant'), showWorkers: 'name' });
    await models.delete('own:3');
    database.close();
    const later = createOwnModels(testDatabase({ name: database.name }));
    expect(await later.list()).toEqual([{ ...own('2', 'ant'), showWorkers: 'name' }, own('1', 'Zebra')]);
  });

  it('are listed without unreadable models', async () => {
    const database = testDatabase();
    const models = createOwnModels(database);
    await models.put(own('1', 'Zebra'));
    await database.transact(['models'], 'readwrite', (transaction) =>
      transaction.objectStore('models').put({ id: 'own:2', label: 'Ghost' }, 'own:2'),
    );
    expect(await models.list()).toEqual([own('1', 'Zebra')]);
  });

  it('can be stored in a migrated older database, which keeps its preferences', async () => {
    const before = testDatabase({ migrations: MIGRATIONS.slice(0, 1) });
    const preferences = createPreferencesStore(before);
    await preferences.write({ ...(await preferences.read()), theme: 'dark' });
    before.close();
    const now = testDatabase({ name: before.name });
    await createOwnModels(now).put(own('1', 'Zebra'));
    expect(await createOwnModels(now).list()).toHaveLength(1);
    expect((await createPreferencesStore(now).read()).theme).toBe('dark');
  });
});
