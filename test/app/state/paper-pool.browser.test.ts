import { describe, expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { PAPER_POOL, PaperPool } from '../../../src/app/state/paper-pool.svelte';
import { fault, FaultError, providerKeyId, type Price, type WorkerSetup } from '../../../src/core/contract';
import { memoryKeys } from '../../fixtures/memory-keys';
import { conductStage } from '../pages/conduct-services';

const ORIGIN = 'https://openrouter.ai';
const ALL = PAPER_POOL.map(({ model }) => model);

async function stage(models: () => Promise<readonly string[]>, price?: Price) {
  const { services: base, preferences } = conductStage();
  const keys = memoryKeys();
  const kept = new Map<string, WorkerSetup>();
  const asked: { baseUrl: string; key: string | null }[] = [];
  const services: Services = {
    ...base,
    keys,
    setups: {
      list: () => Promise.resolve([...kept.values()]),
      put: (setup) => Promise.resolve(void kept.set(setup.id, setup)),
      delete: (id) => Promise.resolve(void kept.delete(id)),
    },
    tester: () =>
      Promise.resolve({
        async *test() {},
        models: (baseUrl, key) => {
          asked.push({ baseUrl, key });
          return models().then((ids) => ids.map((id) => (price ? { id, price } : { id })));
        },
      }),
  };
  const app = new AppState(services, '');
  await app.load();
  const pool = new PaperPool(services, app.workers, app.keys);
  return { pool, keys, kept, asked, preferences };
}

describe("the paper's pool", () => {
  test('uses the prices that OpenRouter lists', async () => {
    const { pool, kept } = await stage(() => Promise.resolve(ALL), { input: 1, output: 2 });
    pool.key = 'sk-or';
    await pool.setUp();
    for (const { price, priced } of kept.values()) {
      expect(price).toEqual({ input: 1, output: 2 });
      expect(priced?.by).toBe('provider');
    }
  });

  test('adds seven workers with the key in one step and makes them the pool', async () => {
    const { pool, keys, kept, asked, preferences } = await stage(() => Promise.resolve(ALL));
    pool.key = ' sk-or ';
    await pool.setUp();
    expect(pool.outcome).toMatchObject({ missing: [], present: [], unchecked: null });
    const setups = [...kept.values()];
    expect(setups.map(({ model, reasoning }) => [model, reasoning])).toEqual(
      PAPER_POOL.map(({ model, reasoning }) => [model, reasoning]),
    );
    for (const { id, needsKey } of setups) expect([needsKey, keys.get(id, ORIGIN)]).toEqual([true, 'sk-or']);
    expect(new Set(setups.map(({ mark }) => mark)).size).toBe(7);
    expect(preferences().pool).toEqual(setups.map(({ id }) => id));
    expect(asked).toEqual([{ baseUrl: `${ORIGIN}/api/v1`, key: 'sk-or' }]);
    expect(pool.key).toBe('');
  });

  test('leaves out models that OpenRouter no longer offers, and names them', async () => {
    const { pool, kept } = await stage(() => Promise.resolve(ALL.filter((model) => !model.startsWith('qwen/'))));
    pool.key = 'sk-or';
    await pool.setUp();
    expect(pool.outcome?.missing.map(({ name }) => name)).toEqual(['Qwen3 32B direct', 'Qwen3 32B reasoning']);
    expect(kept.size).toBe(5);
  });

  test('is set up unchecked if the list cannot be read', async () => {
    const offline = new FaultError(fault('offline', 'No network.'));
    const { pool, kept } = await stage(() => Promise.reject(offline));
    pool.key = 'sk-or';
    await pool.setUp();
    expect([pool.outcome?.unchecked, kept.size]).toEqual([offline.fault, 7]);
  });

  test('adds no worker twice', async () => {
    const { pool, kept } = await stage(() => Promise.resolve(ALL));
    pool.key = 'sk-or';
    await pool.setUp();
    pool.key = 'sk-or-2';
    await pool.setUp();
    expect([pool.outcome?.added.length, pool.outcome?.present.length, kept.size]).toEqual([0, 7, 7]);
  });

  test('uses the key of a sign-in, or asks for one', async () => {
    const { pool, keys, kept, asked } = await stage(() => Promise.resolve(ALL));
    await pool.setUp();
    expect(pool.fault?.code).toBe('unauthorized');
    expect([kept.size, asked]).toEqual([0, []]);
    keys.set(providerKeyId('openrouter'), ORIGIN, 'sk-signed-in');
    await pool.setUp();
    expect([kept.size, asked[0]?.key]).toEqual([7, 'sk-signed-in']);
  });
});
