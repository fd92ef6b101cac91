import 'fake-indexeddb/auto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSentenceVectors } from '../../../src/platform/store/sentence-vectors';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

vi.mock('../../../src/platform/store/forget-question', () => {
  throw new Error('The network is off.');
});

test('if the code that deletes embeddings cannot be loaded, a single run can be deleted only while there are no embeddings', async () => {
  const database = createDatabase({ name: 'no-forget-question' });
  onTestFinished(() => database.close());
  const store = createRunStore(database);
  await store.addRuns(['one', 'two'].map((runId) => stampEvents(finishedRunBodies(), { runId })));
  await store.delete('one');
  expect(await store.count()).toBe(1);
  const vectors = createSentenceVectors(database, Date);
  await vectors.add('a', new Map([['What is 2 + 2?', Float32Array.of(1)]]));
  await expect(store.delete('two')).rejects.toMatchObject({
    fault: {
      message: "Couldn't load the code that deletes runs. Check the connection and reload the page.",
      retryable: true,
    },
  });
  expect(await store.count()).toBe(1);
  await store.deleteAll();
  expect(await store.count()).toBe(0);
  expect(await vectors.read('a', ['What is 2 + 2?'])).toEqual(new Map());
});
