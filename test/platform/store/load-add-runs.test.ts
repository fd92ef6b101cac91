import 'fake-indexeddb/auto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

vi.mock('../../../src/platform/store/add-runs', () => {
  throw new Error('The network is off.');
});

test('addRuns rejects with a retryable fault and changes nothing when its code cannot be loaded', async () => {
  const database = createDatabase({ name: 'no-add-runs' });
  onTestFinished(() => database.close());
  const store = createRunStore(database);
  await expect(store.addRuns([stampEvents(finishedRunBodies())])).rejects.toMatchObject({
    fault: {
      message: "Couldn't load the code that imports runs. Check the connection and reload the page.",
      retryable: true,
    },
  });
  expect(await store.count()).toBe(0);
});
