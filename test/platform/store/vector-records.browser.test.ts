import { deleteDB } from 'idb';
import { expect, onTestFinished, test } from 'vitest';
import { questionHashOf } from '../../../src/core/contract';
import { createDatabase } from '../../../src/platform/store/database';
import { createSentenceVectors, createVectorRecords } from '../../../src/platform/store/sentence-vectors';

function open() {
  const name = `vector-records-${crypto.randomUUID()}`;
  const database = createDatabase({ name });
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  let now = 0;
  return {
    database,
    vectors: createSentenceVectors(database, { now: () => ++now }),
    records: createVectorRecords(database),
  };
}

const QUESTIONS = ['one', 'two', 'three', 'four', 'five'];
const hashes = (questions: readonly string[]) => questions.map(questionHashOf).sort();

test('the stored vectors of one model are read in pages, without those of other models', async () => {
  const { vectors, records } = open();
  await vectors.add('a', new Map(QUESTIONS.map((question) => [question, Float32Array.of(0, 1)])));
  for (const model of ['a@1', 'b']) await vectors.add(model, new Map([['other', Float32Array.of(1, 0)]]));
  const first = await records.page('a', null, 3);
  const second = await records.page('a', first.next, 3);
  expect([first.vectors.length, second.vectors.length, second.next]).toEqual([3, 2, null]);
  const all = [...first.vectors, ...second.vectors];
  expect(all.map(({ hash }) => hash).sort()).toEqual(hashes(QUESTIONS));
  expect(all.every(({ vector }) => vector?.join() === '0,127')).toBe(true);
  expect(await records.state('a')).toEqual({ count: 5, newest: 3 });
  expect(await records.state('c')).toEqual({ count: 0, newest: 3 });
});

test('`since` returns the vectors added at or after a time, or null if they exceed the limit', async () => {
  const { vectors, records } = open();
  for (const question of QUESTIONS) await vectors.add('a', new Map([[question, Float32Array.of(1)]]));
  await vectors.add('b', new Map([['other', Float32Array.of(1)]]));
  const since = await records.since('a', 4, 3);
  expect(since?.map(({ hash }) => hash).sort()).toEqual(hashes(['four', 'five']));
  expect(await records.since('a', 4, 2)).toBeNull();
});

test('a vector in the format of older versions counts as damaged', async () => {
  const { database, vectors, records } = open();
  await vectors.add('a', new Map([['one', Float32Array.of(1)]]));
  await database.transact(['vectors'], 'readwrite', async (transaction) => {
    const [key] = await transaction.objectStore('vectors').getAllKeys();
    const old = { vector: Float32Array.of(1), at: 1 };
    await transaction.objectStore('vectors').put(old as never, key);
  });
  expect((await records.page('a', null, 9)).vectors).toEqual([{ hash: questionHashOf('one'), vector: null }]);
  expect(await vectors.read('a', ['one'])).toEqual(new Map());
});
