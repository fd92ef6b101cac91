import { deleteDB } from 'idb';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSentenceVectors } from '../../../src/platform/store/sentence-vectors';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';

/**
 * Stores embeddings of these questions for the model `a`. `left` returns the questions that still have an
 * embedding.
 */
async function stage(questions: readonly string[]) {
  const name = `forget-${crypto.randomUUID()}`;
  const database = createDatabase({ name });
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  const vectors = createSentenceVectors(database, Date);
  await vectors.add('a', new Map(questions.map((text) => [text, Float32Array.of(1)])));
  const left = async () => [...(await vectors.read('a', questions)).keys()];
  return { database, store: createRunStore(database), left };
}

const runOn = (question: string, runId: string) =>
  stampEvents([runStarted({ question: { text: question } }), ...finishedRunBodies().slice(1)], { runId });

test('deleting a run deletes the embedding of its question only if no other run has the same question', async () => {
  const long = 'Which is longer than two hundred characters? '.repeat(9);
  const { store, left } = await stage([long, `${long}!`]);
  await store.addRuns([runOn(long, 'one'), runOn(`${long}!`, 'other'), runOn(long, 'two')]);
  await store.delete('one');
  expect(await left()).toEqual([long, `${long}!`]);
  await store.addRuns([runOn(long, 'three')]);
  await store.delete('two');
  expect(await left()).toEqual([long, `${long}!`]);
  await store.delete('three');
  expect(await left()).toEqual([`${long}!`]);
  await store.delete('other');
  expect(await left()).toEqual([]);
});

test('deleting a run whose events are lost finds the question in the summary and deletes its embedding', async () => {
  const { database, store, left } = await stage(['What is left?']);
  await store.addRuns([runOn('What is left?', 'one')]);
  await database.transact(['chunks'], 'readwrite', async (transaction) => transaction.objectStore('chunks').clear());
  await store.delete('one');
  expect(await left()).toEqual([]);
});

test('deleting a run deletes every model’s embedding of its question, and keeps embeddings of other questions', async () => {
  const name = `forget-${crypto.randomUUID()}`;
  const database = createDatabase({ name });
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  const vectors = createSentenceVectors(database, Date);
  const store = createRunStore(database);
  const question = 'Which is longer than two hundred characters? '.repeat(9);
  const events = stampEvents([runStarted({ question: { text: question } }), ...finishedRunBodies().slice(1)]);
  await store.addRuns([events]);
  for (const model of ['a', 'b', 'c']) {
    await vectors.add(model, new Map([question, 'another question'].map((text) => [text, Float32Array.of(1)])));
  }
  await store.delete('run-1');
  for (const model of ['a', 'b', 'c']) {
    expect([...(await vectors.read(model, [question, 'another question'])).keys()]).toEqual(['another question']);
  }
});
