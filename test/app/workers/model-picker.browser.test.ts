import { describe, expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { ModelPicker } from '../../../src/app/workers/model-picker.svelte';
import {
  fault,
  FaultError,
  type Connection,
  type ListedModel,
  type ModelList,
  type WorkerTester,
} from '../../../src/core/contract';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';
import { memoryKeys } from '../../fixtures/memory-keys';
import { memorySetups } from '../../fixtures/memory-setups';
import { scriptedTester } from '../../fixtures/scripted-tester';
import { conductStage, PRESETS } from '../conduct/conduct-services';

const HOST = 'https://api.example.com';
const CONNECTION = { id: 'c1', baseUrl: `${HOST}/v1`, needsKey: true };
const LIST: readonly ListedModel[] = [
  { id: 'openai/gpt-5', price: { input: 1, output: 8 }, contextWindow: 1000, canSee: false },
  { id: 'google/gemini-2.5-pro', price: { input: 1, output: 8 } },
  { id: 'acme/rocket', price: { input: 0.1, output: 0.2 } },
  { id: 'acme/table' },
];
const KNOWN_PRICE = { price: { input: 3, output: 4 }, date: '2026-06-04', source: 'https://prices.example' };

async function stage(
  tester: Partial<WorkerTester> = { models: () => Promise.resolve(LIST) },
  stored?: ModelList,
  connection: Connection = CONNECTION,
) {
  const { services: base, preferences } = conductStage();
  const { setups, connections, kept } = memorySetups();
  await connections.put(connection);
  const keys = memoryKeys();
  keys.set('c1', HOST, 'secret');
  const lists: ModelList[] = stored ? [stored] : [];
  const services: Services = {
    ...base,
    setups,
    connections,
    keys,
    knownModels: () => Promise.resolve(KNOWN_MODELS),
    knownPrice: (_, model) => Promise.resolve(model === 'acme/table' ? KNOWN_PRICE : null),
    modelLists: () =>
      Promise.resolve({
        read: () => Promise.resolve(lists.at(-1) ?? null),
        put: (list) => Promise.resolve(void lists.push(list)),
      }),
    tester: () => Promise.resolve(scriptedTester(tester)),
  };
  const { workers } = new AppState(services, '');
  await workers.load();
  await workers.loadKnown();
  const picker = new ModelPicker({ ...services, ...PRESETS }, workers, connection);
  return { picker, workers, kept, lists, preferences };
}

describe('the list of models', () => {
  test('is requested and stored if there is none, and shows what is known of each model', async () => {
    const { picker, lists } = await stage();
    await picker.open();
    expect(lists).toMatchObject([{ connection: 'c1', models: LIST }]);
    expect(picker.rows.map(({ id, known }) => [id, known])).toEqual([
      ['openai/gpt-5', 'maths 61 %, code 46 %, science 73 %, knowledge 61 %'],
      ['google/gemini-2.5-pro', expect.stringContaining('maths')],
      ['acme/rocket', ''],
      ['acme/table', ''],
    ]);
    expect(picker.rows.at(-1)?.price, 'from Podium’s table').toEqual(KNOWN_PRICE.price);
  });

  test('is the stored one, without a request, until the user refreshes it', async () => {
    const stored = { connection: 'c1', at: 1, models: [{ id: 'kept' }] };
    const { picker } = await stage(undefined, stored);
    await picker.open();
    expect(picker.rows.map(({ id }) => id)).toEqual(['kept']);
    await picker.refresh();
    expect(picker.rows).toHaveLength(LIST.length);
  });

  test('is searched by words, and a name that it lacks can be added, too', async () => {
    const { picker } = await stage();
    await picker.open();
    picker.search = 'ROCK acme';
    expect(picker.rows.map(({ id }) => id)).toEqual(['acme/rocket', 'ROCK acme']);
    picker.search = 'acme/table';
    expect(picker.rows.map(({ id }) => id)).toEqual(['acme/table']);
    picker.search = 'mine';
    expect(picker.rows.map(({ id }) => id)).toEqual(['mine']);
  });

  test('shows why it could not be read', async () => {
    const refused = new FaultError(fault('unauthorized', 'The key was refused.'));
    const { picker } = await stage({ connect: () => Promise.reject(refused) });
    await picker.open();
    expect([picker.fault, picker.isListing]).toEqual([refused.fault, false]);
  });
});

describe('adding models', () => {
  test('stores them as workers of the connection, with what is known of each, and makes them the pool', async () => {
    const { picker, workers, kept, preferences } = await stage();
    await picker.open();
    for (const { id } of picker.rows) picker.toggle(id);
    picker.toggle('mine');
    expect(await picker.add()).toBe(true);
    const added = [...kept.values()];
    expect(added.map(({ name, price, priced }) => [name, price?.input ?? null, priced?.by])).toEqual([
      ['gpt-5', 1, 'provider'],
      ['gemini-2.5-pro', 1, 'provider'],
      ['rocket', 0.1, 'provider'],
      ['table', 3, 'table'],
      ['mine', null, undefined],
    ]);
    expect(new Set(added.map(({ mark }) => mark)).size).toBe(5);
    expect(added.every(({ connection, needsKey }) => connection === 'c1' && needsKey)).toBe(true);
    const [gpt, gemini] = added;
    expect([gpt?.canSee, gpt?.contextWindow], 'the list takes precedence').toEqual([undefined, 1000]);
    expect([gemini?.canSee, gemini?.contextWindow], 'the published facts').toEqual([true, 1_048_576]);
    expect(workers.pool.map(({ id }) => id).toSorted()).toEqual(added.map(({ id }) => id).toSorted());
    expect(preferences().pool).toBeNull();
    expect(picker.rows.every(({ isAdded }) => isAdded)).toBe(true);
  });
});

describe('a suggested pool', () => {
  test('are free on a server that runs models itself, and of unknown price behind a proxy', async () => {
    for (const [provider, port, price] of [
      ['ollama', 11434, { input: 0, output: 0 }],
      ['litellm', 4000, null],
    ] as const) {
      const own = { id: 'c1', baseUrl: `http://localhost:${port}/v1`, needsKey: false, provider };
      const { picker, kept } = await stage({ models: () => Promise.resolve([{ id: 'llama3.2:3b' }]) }, undefined, own);
      await picker.open();
      picker.toggle('llama3.2:3b');
      expect(await picker.add()).toBe(true);
      expect([...kept.values()].map((setup) => setup.price)).toEqual([price]);
    }
  });

  test('checks the suggested models, without those that are already workers', async () => {
    const { picker } = await stage();
    await picker.open();
    picker.toggle('acme/table');
    await picker.add();
    await picker.suggest();
    expect(picker.suggested?.map(({ reason }) => reason.by)).toEqual(['published', 'published', 'unknown']);
    expect([...picker.chosen].toSorted()).toEqual(['google/gemini-2.5-pro', 'openai/gpt-5']);
    picker.limit = '0';
    await picker.suggest();
    expect([picker.suggested, picker.chosen.size]).toEqual([[], 0]);
  });
});
