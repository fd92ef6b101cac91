import 'fake-indexeddb/auto';
import { deleteDB, openDB } from 'idb';
import { expect, onTestFinished, test } from 'vitest';
import { foldEvents } from '../../../src/core/contract';
import { createDatabase, type StoreName } from '../../../src/platform/store/database';
import { createImageStore } from '../../../src/platform/store/image-store';
import { MIGRATIONS } from '../../../src/platform/store/migrations';
import { createRunStore } from '../../../src/platform/store/run-store';
import { imageFile } from '../../fixtures/memory-images';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

/** The object stores that each database version added, without the stores of runs and images. */
const ADDED: readonly (readonly StoreName[])[] = [
  ['setups', 'preferences'],
  ['models'],
  ['vault'],
  ['spending', 'holds'],
  ['folders'],
  [],
  ['policies'],
  ['vectors'],
  ['batches', 'outcomes', 'datasets', 'tasks', 'outlines', 'stagings'],
  ['unindexed', 'indexHeads', 'indexChunks', 'indexDead', 'indexTail', 'indexTexts'],
  ['connections', 'modelLists'],
  ['measurements', 'searches'],
];
const RUN = stampEvents(finishedRunBodies(), { runId: 'run-1' });
const VERSIONS = MIGRATIONS.map((_, index) => index + 1);
let counter = 0;

test('the list of added stores has an entry for every version of the database', () => {
  expect(ADDED).toHaveLength(MIGRATIONS.length);
});

/**
 * Returns the records of one run, as the current code writes them to the object stores that exist in every
 * version.
 */
async function recordsOfRun() {
  const name = `records-${++counter}`;
  const database = createDatabase({ name });
  await createRunStore(database).addRuns([RUN]);
  const stores = ['chunks', 'summaries', 'blobs', 'counts'] as const;
  const records = await database.transact([...stores], 'readonly', async (transaction) =>
    Promise.all(
      stores.map(async (store) => {
        const objects = transaction.objectStore(store);
        const [keys, values] = await Promise.all([objects.getAllKeys(), objects.getAll()]);
        return { store, entries: keys.map((key, index) => [key, values[index]] as const) };
      }),
    ),
  );
  database.close();
  await deleteDB(name);
  return records;
}

test.each(VERSIONS)('migration from version %i keeps all records and adds the missing stores', async (version) => {
  const name = `migrated-${version}`;
  const records = await recordsOfRun();
  const kept = ADDED.slice(0, version).flat();
  const older = createDatabase({ name, migrations: MIGRATIONS.slice(0, version) });
  // The first transaction creates the database, here with the older version.
  await older.transact(['counts'], 'readonly', () => Promise.resolve());
  older.close();
  const plain = await openDB(name, version);
  expect(plain.version).toBe(version);
  for (const { store, entries } of records) for (const [key, value] of entries) await plain.put(store, value, key);
  for (const store of kept) await plain.put(store, { kept: store }, store);
  plain.close();

  const database = createDatabase({ name });
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  const store = createRunStore(database);
  expect(await store.count()).toBe(1);
  expect(foldEvents(await store.read('run-1'))).toEqual(foldEvents(RUN));
  expect((await store.summary('run-1'))?.status).toBe('finished');
  const images = createImageStore(database, Date);
  const image = imageFile('new');
  await images.put(image);
  expect((await images.get(image.hash))?.bytes).toEqual(image.bytes);
  database.close();

  const newest = await openDB(name);
  expect(newest.version).toBe(MIGRATIONS.length);
  expect([...newest.objectStoreNames].toSorted()).toEqual(
    [...records.map((each) => each.store), ...ADDED.flat(), 'images'].toSorted(),
  );
  for (const each of kept) expect(await newest.get(each, each)).toEqual({ kept: each });
  for (const each of ADDED.slice(version).flat()) expect(await newest.count(each)).toBe(0);
  newest.close();
});
