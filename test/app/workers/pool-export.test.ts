import { expect, test } from 'vitest';
import { exportPool } from '../../../src/app/workers/pool-export';
import { DEFAULT_PREFERENCES, toPoolWorker, type WorkerSetup } from '../../../src/core/contract';
import { poolWorker } from '../../fixtures/run-events';

function setupOf(id: string): WorkerSetup {
  const baseUrl = 'https://api.example.com/v1';
  return { id, name: id, mark: 'W', colour: 1, baseUrl, model: id, price: null, description: '', needsKey: true };
}

test('exports only workers that are in the pool and not marked as unconfirmed', async () => {
  const known = setupOf('known');
  const unconfirmed = { ...setupOf('unconfirmed'), unconfirmed: true };
  const files: unknown[] = [];
  await exportPool(
    { poolFile: (file) => Promise.resolve(String(files.push(file))) },
    {
      pool: [toPoolWorker(known), poolWorker(0), toPoolWorker(unconfirmed)],
      setups: [known, unconfirmed, setupOf('unused')],
    },
    { current: DEFAULT_PREFERENCES },
    null,
    () => Promise.resolve(null),
  );
  expect(files).toEqual([expect.objectContaining({ pool: [toPoolWorker(known).id, 'sim:alder'], workers: [known] })]);
});
