import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/platform/store/migrations';
import { createPolicyStore } from '../../../src/platform/store/policies';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { keptPolicy } from '../../fixtures/kept-policy';
import { testDatabase } from './harness';

describe('policies', () => {
  it('are stored, replaced and deleted, and listed newest first', async () => {
    const database = testDatabase();
    const policies = createPolicyStore(database);
    await policies.put(keptPolicy('1', { madeAt: 1 }));
    await policies.put(keptPolicy('2', { madeAt: 2 }));
    await policies.put(keptPolicy('3', { madeAt: 3 }));
    await policies.put(keptPolicy('1', { madeAt: 1, name: 'Again' }));
    await policies.delete('2');
    database.close();
    const later = createPolicyStore(testDatabase({ name: database.name }));
    expect(await later.list()).toEqual([keptPolicy('3', { madeAt: 3 }), keptPolicy('1', { madeAt: 1, name: 'Again' })]);
    expect(await later.get('3')).toEqual(keptPolicy('3', { madeAt: 3 }));
    expect(await later.get('2')).toBeNull();
  });

  it('are listed without unreadable policies', async () => {
    const database = testDatabase();
    await createPolicyStore(database).put(keptPolicy('1'));
    await database.transact(['policies'], 'readwrite', (transaction) =>
      transaction.objectStore('policies').put({ ...keptPolicy('2'), checkpoint: 'gone' }, '2'),
    );
    expect(await createPolicyStore(database).list()).toEqual([keptPolicy('1')]);
    expect(await createPolicyStore(database).get('2')).toBeNull();
  });

  it('can be stored in a migrated older database, which keeps its preferences', async () => {
    const before = testDatabase({ migrations: MIGRATIONS.slice(0, 6) });
    await createPreferencesStore(before).write({ theme: 'dark' });
    before.close();
    const now = testDatabase({ name: before.name });
    await createPolicyStore(now).put(keptPolicy('1'));
    expect(await createPolicyStore(now).list()).toHaveLength(1);
    expect(await createPreferencesStore(now).read()).toMatchObject({ theme: 'dark', policy: null });
  });
});
