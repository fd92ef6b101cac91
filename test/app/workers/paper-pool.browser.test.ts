import { describe, expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { PaperPool } from '../../../src/app/workers/paper-pool.svelte';
import { PAPER_POOL } from '../../../src/app/workers/paper-presets';
import { fault, FaultError, type ListedModel, type Price, type WorkerSetup } from '../../../src/core/contract';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';
import { memoryKeys } from '../../fixtures/memory-keys';
import { memorySetups } from '../../fixtures/memory-setups';
import { scriptedTester } from '../../fixtures/scripted-tester';
import { conductStage, PRESETS } from '../conduct/conduct-services';

const ORIGIN = 'https://openrouter.ai';
const ALL = PAPER_POOL.map(({ model }) => model);

async function stage(models: () => Promise<readonly string[]>, price?: Price, more: Partial<ListedModel> = {}) {
  const { services: base, preferences } = conductStage();
  const keys = memoryKeys();
  const memory = memorySetups();
  const { kept, connected } = memory;
  const requests: { baseUrl: string; key: string | null }[] = [];
  const services: Services = {
    ...base,
    keys,
    knownModels: () => Promise.resolve(KNOWN_MODELS),
    setups: memory.setups,
    connections: memory.connections,
    tester: () =>
      Promise.resolve(
        scriptedTester({
          models: (baseUrl, key) => {
            requests.push({ baseUrl, key });
            return models().then((ids) => ids.map((id) => ({ id, ...(price ? { price } : {}), ...more })));
          },
        }),
      ),
  };
  const app = new AppState(services, '');
  await app.load();
  const pool = new PaperPool({ ...services, ...PRESETS }, app.workers, app.keys, app.preferences);
  return { app, pool, keys, kept, connected, requests, preferences };
}

describe("setting up the paper's pool", () => {
  test('uses the prices that OpenRouter lists', async () => {
    const { pool, kept } = await stage(() => Promise.resolve(ALL), { input: 1, output: 2 });
    pool.key = 'sk-or';
    await pool.setUp();
    for (const { price, priced } of kept.values()) {
      expect(price).toEqual({ input: 1, output: 2 });
      expect(priced?.by).toBe('provider');
    }
  });

  test('adds seven workers with the entered key, and makes them the pool of new runs', async () => {
    const { pool, keys, kept, connected, requests, preferences } = await stage(() => Promise.resolve(ALL));
    pool.key = ' sk-or ';
    await pool.setUp();
    expect(pool.outcome).toMatchObject({ missing: [], present: [], unchecked: null });
    const setups = [...kept.values()];
    expect(setups.map(({ name, model }) => [name, model])).toEqual(PAPER_POOL.map(({ name, model }) => [name, model]));
    const [connection, ...others] = connected.keys();
    expect([keys.get(connection ?? '', ORIGIN), others]).toEqual(['sk-or', []]);
    expect(setups.map((each) => [each.needsKey, each.connection])).toEqual(setups.map(() => [true, connection]));
    expect(new Set(setups.map(({ mark }) => mark)).size).toBe(7);
    expect(preferences().pool).toEqual(setups.map(({ id }) => id));
    expect(requests).toEqual([{ baseUrl: `${ORIGIN}/api/v1`, key: 'sk-or' }]);
    expect(pool.key).toBe('');
  });

  test('leaves out models that OpenRouter no longer offers, and names them', async () => {
    const { pool, kept } = await stage(() => Promise.resolve(ALL.filter((model) => !model.startsWith('qwen/'))));
    pool.key = 'sk-or';
    await pool.setUp();
    expect(pool.outcome?.missing.map(({ name }) => name)).toEqual(['Qwen3 32B direct', 'Qwen3 32B reasoning']);
    expect(kept.size).toBe(5);
  });

  test('adds all seven workers if OpenRouter’s list cannot be read, and reports the reason', async () => {
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

  test('uses the key from the OpenRouter sign-in if the user enters none, and fails without any key', async () => {
    const { app, pool, keys, kept, requests } = await stage(() => Promise.resolve(ALL));
    await pool.setUp();
    expect(pool.fault?.code).toBe('unauthorized');
    expect([kept.size, requests]).toEqual([0, []]);
    await app.workers.saveConnection({ id: 'signed-in', baseUrl: `${ORIGIN}/api/v1`, needsKey: true });
    keys.set('signed-in', ORIGIN, 'sk-signed-in');
    await pool.setUp();
    expect([kept.size, requests[0]?.key]).toEqual([7, 'sk-signed-in']);
  });

  test('applies the paper’s constrained settings to the workers and to new runs', async () => {
    const { pool, kept, preferences } = await stage(() => Promise.resolve(ALL));
    pool.key = 'sk-or';
    await pool.setUp();
    const common = { temperature: 0.2, maxTokens: 4096 };
    const qwen = { ...common, topP: 0.8, topK: 20, presencePenalty: 1 };
    expect([...kept.values()].map(settingsOf)).toEqual([
      ['Gemini 2.5 Pro', undefined, 128, common],
      ['Claude Sonnet 4', 'off', undefined, common],
      ['GPT-5', 'minimal', undefined, common],
      ['Qwen3 32B direct', 'off', undefined, qwen],
      ['Qwen3 32B reasoning', 'medium', undefined, qwen],
      ['Gemma 3 27B', undefined, undefined, common],
      ['DeepSeek R1 Distill 32B', undefined, undefined, common],
    ]);
    expect(preferences()).toMatchObject(common);
  });

  test('applies the paper’s unconstrained settings to existing workers and to new runs', async () => {
    const { pool, kept, preferences } = await stage(() => Promise.resolve(ALL));
    pool.key = 'sk-or';
    await pool.setUp();
    pool.setting = 'unconstrained';
    pool.key = 'sk-or';
    await pool.setUp();
    expect([...kept.values()].map(settingsOf)).toEqual([
      ['Gemini 2.5 Pro', undefined, 32_768, { maxTokens: 65_535 }],
      ['Claude Sonnet 4', undefined, 32_768, { maxTokens: 64_000 }],
      ['GPT-5', 'high', undefined, { maxTokens: 128_000 }],
      ['Qwen3 32B direct', 'off', undefined, { maxTokens: 20_480 }],
      ['Qwen3 32B reasoning', 'high', undefined, { maxTokens: 20_480 }],
      ['Gemma 3 27B', undefined, undefined, { maxTokens: 20_480 }],
      ['DeepSeek R1 Distill 32B', undefined, undefined, { maxTokens: 20_480 }],
    ]);
    expect(preferences()).toMatchObject({ temperature: 0.2, maxTokens: 20_480 });
  });

  test('reads image support from OpenRouter’s list, or from published facts if the list lacks it', async () => {
    const seeing = async (more: Partial<ListedModel>) => {
      const { pool, kept } = await stage(() => Promise.resolve(ALL), undefined, more);
      pool.key = 'sk-or';
      await pool.setUp();
      return [...kept.values()].filter(({ canSee }) => canSee).map(({ name }) => name);
    };
    expect(await seeing({ canSee: false })).toEqual([]);
    expect(await seeing({ canSee: true })).toHaveLength(7);
    expect(await seeing({})).toEqual(expect.arrayContaining(['Gemini 2.5 Pro', 'Claude Sonnet 4', 'GPT-5']));
    expect(await seeing({})).not.toContain('Qwen3 32B direct');
  });

  test('fills in the published context window of a model', async () => {
    const { pool, kept } = await stage(() => Promise.resolve(ALL));
    pool.key = 'sk-or';
    await pool.setUp();
    expect([...kept.values()].find(({ name }) => name === 'Gemini 2.5 Pro')?.contextWindow).toBe(1_048_576);
  });
});

function settingsOf({ name, reasoning, reasoningTokens, sampling }: WorkerSetup) {
  return [name, reasoning, reasoningTokens, sampling];
}
