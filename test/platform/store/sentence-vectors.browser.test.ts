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

test('embeddings are stored by model and question', async () => {
  const { vectors } = open();
  await vectors.add('a', new Map([['one', Float32Array.of(0.6, 0.8)]]));
  await vectors.add('b', new Map([['one', Float32Array.of(-1)]]));
  const read = await vectors.read('a', ['one', 'two']);
  expect([...read.keys()]).toEqual(['one']);
  expect([...(read.get('one') ?? [])]).toEqual([expect.closeTo(0.6, 2), expect.closeTo(0.8, 2)]);
  expect(await vectors.read('b', ['one'])).toEqual(new Map([['one', Float32Array.of(-1)]]));
  expect(await vectors.read('c', ['one'])).toEqual(new Map());
});

test('embeddings are stored without the texts of their questions', async () => {
  const { database, vectors } = open();
  await vectors.add('a', new Map([['A secret question', Float32Array.of(1)]]));
  const keys = await database.transact(['vectors'], 'readonly', (transaction) =>
    transaction.objectStore('vectors').getAllKeys(),
  );
  expect(keys).toEqual([['a', expect.stringMatching(/^[\da-f]{64}$/)]]);
});

test('the oldest embeddings are deleted when there are too many', async () => {
  const { vectors } = open(3);
  for (const question of ['one', 'two', 'three']) await vectors.add('a', new Map([[question, Float32Array.of(1)]]));
  await vectors.add('a', new Map(['four', 'five'].map((question) => [question, Float32Array.of(-1)])));
  const kept = await vectors.read('a', ['one', 'two', 'three', 'four', 'five']);
  expect([...kept.keys()]).toEqual(['three', 'four', 'five']);
});

test('deleting the embeddings of one model keeps those of other models', async () => {
  const { vectors } = open();
  const entries = new Map([['one', Float32Array.of(1)]]);
  for (const model of ['a', 'a@1', 'a-large', 'b']) await vectors.add(model, entries);
  await vectors.deleteOf('a');
  expect(await vectors.read('a', ['one'])).toEqual(new Map());
  for (const model of ['a@1', 'a-large', 'b']) expect(await vectors.read(model, ['one'])).toEqual(entries);
});

test('invalid embeddings are ignored', async () => {
  const { vectors } = open();
  const damaged = [
    Float32Array.of(Number.NaN, 1),
    Float32Array.of(Number.POSITIVE_INFINITY),
    Float32Array.of(0),
    new Float32Array(),
  ];
  const entries = damaged.map((vector, index) => [`question ${index}`, vector] as const);
  await vectors.add('a', new Map([...entries, ['well', Float32Array.of(0, 1)]]));
  const kept = await vectors.read('a', [...entries.map(([question]) => question), 'well']);
  expect([...kept.keys()]).toEqual(['well']);
});

test('deleting all runs deletes all embeddings', async () => {
  const { database, vectors } = open();
  await vectors.add('a', new Map([['one', Float32Array.of(1)]]));
  await createRunStore(database).deleteAll();
  expect(await vectors.read('a', ['one'])).toEqual(new Map());
});
