import { describe, expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { chooseRealOnly, replacePool } from '../../../src/app/state/replace-pool';
import type { WorkerSetup } from '../../../src/core/contract';
import { memorySetups } from '../../fixtures/memory-setups';
import { conductStage } from '../conduct/conduct-services';

const SETUP: WorkerSetup = {
  id: 'w1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: 'https://api.example.com/v1',
  model: 'big-1',
  price: null,
  description: '',
  needsKey: false,
};
const RESTORED: WorkerSetup = { ...SETUP, unconfirmed: true };

async function saveAsConfirmed(workers: AppState['workers']): Promise<void> {
  for (const { unconfirmed: _, ...setup } of workers.unconfirmed) await workers.save(setup);
}

async function workersOf(...setups: readonly WorkerSetup[]) {
  const { setups: store, connections } = memorySetups(...setups);
  const services: Services = { ...conductStage().services, setups: store, connections };
  const app = new AppState(services, '');
  await app.load();
  return { workers: app.workers, preferences: app.preferences };
}

describe('a worker restored from a backup', () => {
  test.each([
    ['confirmed in the panel', (workers: AppState['workers']) => workers.confirm(workers.unconfirmed)],
    ['saved as confirmed', saveAsConfirmed],
  ])('replaces the chosen practice pool when the worker is %s', async (_, confirm) => {
    const { workers, preferences } = await workersOf(RESTORED);
    replacePool(workers, preferences, ['sim:alder']);
    await confirm(workers);
    expect(workers.unconfirmed).toEqual([]);
    expect(preferences.current.pool).toEqual(['w1']);
    expect(preferences.current.otherPool).toEqual(['sim:alder']);
  });

  test('becomes the whole pool when saved as confirmed, if the user has not chosen a pool', async () => {
    const { workers, preferences } = await workersOf(RESTORED);
    await saveAsConfirmed(workers);
    expect(preferences.current.pool).toBeNull();
    expect(workers.pool.map(({ id }) => id)).toEqual(['w1']);
  });

  test('does not join the pool when it is saved but still unconfirmed', async () => {
    const { workers, preferences } = await workersOf(RESTORED);
    replacePool(workers, preferences, ['sim:alder']);
    for (const setup of workers.unconfirmed) await workers.save({ ...setup, name: 'Bigger' });
    expect(preferences.current.pool).toEqual(['sim:alder']);
  });
});

test('a confirmed worker that the user removed from the pool stays out when it is edited', async () => {
  const { workers, preferences } = await workersOf(SETUP);
  replacePool(workers, preferences, ['sim:alder']);
  await workers.save({ ...SETUP, name: 'Bigger' });
  expect(preferences.current.pool).toEqual(['sim:alder']);
});

test('the first worker replaces the practice pool until the user switches back or removes the last worker', async () => {
  const { workers, preferences } = await workersOf();
  const ids = () => workers.pool.map(({ id }) => id);
  const simulated = ids();
  expect([workers.kind, workers.hasReal]).toEqual(['practice', false]);
  await workers.save(SETUP);
  expect([ids(), workers.kind, workers.hasReal]).toEqual([['w1'], 'real', true]);
  workers.practise(true);
  expect(ids()).toEqual(simulated);
  workers.practise(false);
  workers.choose('sim:alder', true);
  expect([ids(), workers.kind]).toEqual([['sim:alder', 'w1'], 'mixed']);
  chooseRealOnly(workers, preferences);
  expect(ids()).toEqual(['w1']);
  await workers.remove('w1');
  expect([ids(), workers.kind]).toEqual([simulated, 'practice']);
});

test('setting all workers of the pool at once replaces the practice pool until the user turns Practice on', async () => {
  const { workers, preferences } = await workersOf();
  workers.choose('sim:alder', false);
  const simulated = workers.pool;
  await workers.save(SETUP);
  workers.practise(true);
  replacePool(workers, preferences, ['w1']);
  expect(workers.pool.map(({ id }) => id)).toEqual(['w1']);
  workers.practise(true);
  expect(workers.pool).toEqual(simulated);
});

test('a practice pool that replaces the real pool keeps the real one for the Practice switch', async () => {
  const { workers, preferences } = await workersOf(SETUP, { ...SETUP, id: 'w2', name: 'Small' });
  replacePool(workers, preferences, ['w2']);
  replacePool(workers, preferences, ['sim:alder']);
  expect(workers.pool.map(({ id }) => id)).toEqual(['sim:alder']);
  workers.practise(false);
  expect(workers.pool.map(({ id }) => id)).toEqual(['w2']);
});
