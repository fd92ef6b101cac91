import { deleteDB } from 'idb';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSentenceVectors } from '../../../src/platform/store/sentence-vectors';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';

test('deleting a run deletes its question’s embeddings of every model, and nothing else', async () => {
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
