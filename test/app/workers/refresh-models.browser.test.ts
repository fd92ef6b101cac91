import { expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { mayRefresh, refreshModels } from '../../../src/app/workers/refresh-models';
import type { Connection, ListedModel, ModelList, WorkerSetup } from '../../../src/core/contract';
import { memorySetups } from '../../fixtures/memory-setups';
import { scriptedTester } from '../../fixtures/scripted-tester';
import { conductStage } from '../conduct/conduct-services';

const CONNECTION: Connection = { id: 'c', baseUrl: 'https://one.example/v1', needsKey: false };
const worker = (id: string, model: string, more: Partial<WorkerSetup> = {}): WorkerSetup => ({
  ...{ id, name: id, mark: 'Wo', colour: 1, model, price: null, description: '', connection: 'c' },
  ...{ baseUrl: CONNECTION.baseUrl, needsKey: false },
  ...more,
});

async function stage(models: readonly ListedModel[], stored: ModelList | null = null) {
  const { setups, connections } = memorySetups();
  await connections.put(CONNECTION);
  for (const setup of [
    worker('a', 'm'),
    worker('b', 'gone'),
    worker('x', 'm', { connection: 'other', baseUrl: 'https://other.example/v1' }),
  ])
    await setups.put(setup);
  let list = stored;
  const lists = {
    read: () => Promise.resolve(list),
    put: (next: ModelList) => Promise.resolve(void (list = next)),
  };
  const services: Services = {
    ...conductStage().services,
    setups,
    connections,
    modelLists: () => Promise.resolve(lists),
    tester: () => Promise.resolve(scriptedTester({ models: () => Promise.resolve(models) })),
  };
  const { workers } = new AppState(services, '');
  await workers.load();
  const byId = (id: string) => workers.setups.find((setup) => setup.id === id);
  return { services, workers, byId, signal: new AbortController().signal };
}

test('a refreshed list updates and marks the workers of its connection', async () => {
  const { services, workers, byId, signal } = await stage([{ id: 'm', price: { input: 1, output: 2 } }]);
  const { list } = await refreshModels(services, workers, CONNECTION, signal);
  expect(list).toMatchObject({ connection: 'c', baseUrl: CONNECTION.baseUrl, models: [{ id: 'm' }] });
  expect(byId('a')).toMatchObject({ price: { input: 1, output: 2 }, priced: { by: 'provider' } });
  expect(byId('b')).toMatchObject({ listed: { isGone: true } });
  expect(byId('x')).not.toHaveProperty('listed');
});

test('an empty list marks nothing', async () => {
  const { services, workers, byId, signal } = await stage([]);
  await refreshModels(services, workers, CONNECTION, signal);
  expect(byId('b')).not.toHaveProperty('listed');
});

test('a list is read again only from an address from which it has been read before, and not at once', async () => {
  const old = { connection: 'c', baseUrl: 'https://one.example/api', at: 0, models: [] };
  const may = async (list: ModelList | null, connection = CONNECTION) =>
    mayRefresh((await stage([], list)).services, connection);
  expect(await may(old)).toBe(true);
  expect(await may({ ...old, at: Date.now() })).toBe(false);
  expect(await may({ ...old, baseUrl: 'https://other.example/v1' })).toBe(false);
  expect(await may(null)).toBe(false);
  expect(await may(old, { ...CONNECTION, unconfirmed: true })).toBe(false);
});
