import { deleteDB } from 'idb';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSentenceVectors } from '../../../src/platform/store/sentence-vectors';

let counter = 0;

function open(most?: number) {
  const name = `vectors-${++counter}-${crypto.randomUUID()}`;
  const database = createDatabase({ name });
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  let now = 0;
  return { database, vectors: createSentenceVectors(database, { now: () => ++now }, most) };
}

test('what a model said is kept, by model and question', async () => {
  const { vectors } = open();
  await vectors.add('a', new Map([['one', Float32Array.of(1, 2)]]));
  await vectors.add('b', new Map([['one', Float32Array.of(3)]]));
  expect(await vectors.read('a', ['one', 'two'])).toEqual(new Map([['one', Float32Array.of(1, 2)]]));
  expect(await vectors.read('b', ['one'])).toEqual(new Map([['one', Float32Array.of(3)]]));
  expect(await vectors.read('c', ['one'])).toEqual(new Map());
});

test('no question stands in it in words', async () => {
  const { database, vectors } = open();
  await vectors.add('a', new Map([['A secret question', Float32Array.of(1)]]));
  const keys = await database.transact(['vectors'], 'readonly', (transaction) =>
    transaction.objectStore('vectors').getAllKeys(),
  );
  expect(keys).toEqual([['a', expect.stringMatching(/^[\da-f]{64}$/)]]);
});

test('the oldest go when there are too many', async () => {
  const { vectors } = open(3);
  for (const question of ['one', 'two', 'three']) await vectors.add('a', new Map([[question, Float32Array.of(1)]]));
  await vectors.add('a', new Map(['four', 'five'].map((question) => [question, Float32Array.of(2)])));
  const kept = await vectors.read('a', ['one', 'two', 'three', 'four', 'five']);
  expect([...kept.keys()]).toEqual(['three', 'four', 'five']);
});

test('all go at once, and with all runs', async () => {
  const { database, vectors } = open();
  await vectors.add('a', new Map([['one', Float32Array.of(1)]]));
  await vectors.deleteAll();
  expect(await vectors.read('a', ['one'])).toEqual(new Map());
  await vectors.add('a', new Map([['one', Float32Array.of(1)]]));
  await createRunStore(database).deleteAll();
  expect(await vectors.read('a', ['one'])).toEqual(new Map());
});
